package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// Boxes keeps the boxes that logs name by their hash. A box comes with the append
// that makes a table (Append.Box), and goes with the last table that has it.
type Boxes interface {
	// Box is the box with this hash, or ErrNone.
	Box(ctx context.Context, hash string) ([]byte, error)
}

// BoxHash is the name of a box: its SHA-256 in hexadecimal digits.
func BoxHash(box []byte) string {
	sum := sha256.Sum256(box)
	return hex.EncodeToString(sum[:])
}
