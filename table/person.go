package table

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Person is who sits at a table, as far as the log knows: a hash that leads to
// nobody once the salt of the account is gone. At another table the same account is
// another person.
type Person [16]byte

// PersonAt is the person that an account is at a table. The salt belongs to the
// account and is deleted with it.
func PersonAt(table, account string, salt []byte) Person {
	mac := hmac.New(sha256.New, salt)
	for _, text := range []string{"copse person 1", table, account} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		mac.Write(length[:])
		mac.Write([]byte(text))
	}
	return Person(mac.Sum(nil)[:len(Person{})])
}

// String is the person as the log writes it.
func (p Person) String() string { return hex.EncodeToString(p[:]) }

// MarshalText is the person as the log writes it.
func (p Person) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePerson reads a person as the log writes it.
func ParsePerson(text string) (Person, bool) {
	var p Person
	return p, unhex(p[:], text) && p != Person{}
}

// Nonce is what a person adds to the chance of a game by sitting down: numbers that
// the server cannot have known when it committed to its secret. All zeros are no
// nonce.
type Nonce [16]byte

// ParseNonce reads a nonce as the log writes it.
func ParseNonce(text string) (Nonce, bool) {
	var n Nonce
	return n, unhex(n[:], text) && n != Nonce{}
}

// unhex reads lower-case hexadecimal digits that fill dst exactly.
func unhex(dst []byte, text string) bool {
	if len(text) != hex.EncodedLen(len(dst)) {
		return false
	}
	for _, c := range []byte(text) {
		if c >= 'A' && c <= 'F' {
			return false
		}
	}
	_, err := hex.Decode(dst, []byte(text))
	return err == nil
}

// String is the nonce as the log writes it.
func (n Nonce) String() string { return hex.EncodeToString(n[:]) }
