package store

import (
	"context"
	"time"
)

// Chat keeps what people say at a table, beside its log.
type Chat interface {
	// Say adds a line and gives it as it is kept, with its number. Numbers grow
	// from 0; there are gaps where lines were taken away. Of more than MostLines
	// the oldest go. A key that was used among the last hundred lines is answered
	// with the line that was said then, or by ErrReused where that line had other
	// words. ErrNone says that there is no such table or account.
	Say(ctx context.Context, table string, line ChatLine, once Once) (ChatLine, error)

	// Lines are those from a number on, in order, at most so many.
	Lines(ctx context.Context, table string, from, most int) ([]ChatLine, error)
}

// ChatLine is something said.
type ChatLine struct {
	Number  int
	At      time.Time
	Account string
	Body    []byte
}
