package table

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Secret is where the chance of a table comes from, together with the nonces of
// those who sit at it. It is kept beside the log until the game has ended; the last
// entry tells it.
type Secret [32]byte

// Hash is a SHA-256 sum.
type Hash [32]byte

// String is the hash as the log writes it.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText is the hash as the log writes it.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// Commitment is what the first entry says of the secret: the hash of a line that
// names this form, of the secret, and of the settings as the first entry writes
// them. Whoever has kept it can tell afterwards that the secret was not chosen when
// the cards were known, nor for another table.
func Commitment(secret Secret, settings []byte) Hash {
	sum := sha256.New()
	sum.Write([]byte("copse commitment 1\n"))
	sum.Write(secret[:])
	sum.Write(settings)
	return Hash(sum.Sum(nil))
}

// Link is the hash of entry n: of the hash before it (zeros before entry 0), of a
// salt that only the secret gives, and of the entry as it is written. Without the
// salt one could find a secret outcome by trying all there are.
func Link(before Hash, secret Secret, n int, entry []byte) Hash {
	salt := hmac.New(sha256.New, secret[:])
	salt.Write([]byte("salt"))
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(n))
	salt.Write(number[:])

	sum := sha256.New()
	sum.Write(before[:])
	sum.Write(salt.Sum(nil))
	sum.Write(entry)
	return Hash(sum.Sum(nil))
}

// Chain is the hash of each entry of a log.
func Chain(secret Secret, entries [][]byte) []Hash {
	hashes := make([]Hash, len(entries))
	var last Hash
	for n, entry := range entries {
		last = Link(last, secret, n, entry)
		hashes[n] = last
	}
	return hashes
}
