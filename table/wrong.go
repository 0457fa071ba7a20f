package table

import "fmt"

// Wrong is the first entry of a log that cannot be as it is, and why: a *game.Fault
// or a *game.Refusal. Entry -1 is the first line of an export, which comes before
// the entries.
type Wrong struct {
	Entry int
	Err   error
}

// Error names the entry, for logs and tests.
func (w *Wrong) Error() string { return fmt.Sprintf("entry %d: %v", w.Entry, w.Err) }

// Unwrap is why.
func (w *Wrong) Unwrap() error { return w.Err }
