package hall

import "testing"

// TestAHallDrawsWhatNobodyCanGuess unless a test says otherwise: no two
// halls draw the same, and none the same twice.
func TestAHallDrawsWhatNobodyCanGuess(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 4 {
		h := New(Options{})
		t.Cleanup(h.Stop)
		for range 16 {
			id := h.NewID()
			var secret [32]byte
			h.random("secret", secret[:])
			if seen[id] || seen[string(secret[:])] || len(id) != 12 {
				t.Errorf("%s or %x is drawn twice", id, secret)
			}
			seen[id], seen[string(secret[:])] = true, true
		}
	}
}
