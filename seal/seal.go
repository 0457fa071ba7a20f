// Package seal keeps secrets from whoever reads the database and has no key: the bodies
// of papers that must not lie open in a file or a backup.
//
// The key file of a house holds a ring: a line of 64 hexadecimal digits a key. The first
// is the key of the house, from which also codes and names are made; it never changes.
// The last one seals. Those in between are kept as long as something is sealed with them.
// For each purpose a key of its own is derived (HKDF), and what is sealed says which key
// of the ring it was, and belongs to one purpose and one person: put elsewhere it does
// not open (AES-256-GCM, with both as associated data).
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeyLength is how many bytes a key has.
const KeyLength = 32

// mostKeys is how many keys a ring has at most: one that is much longer is no key file.
const mostKeys = 100

// The errors of sealing.
var (
	// ErrRing refuses what is no ring of keys.
	ErrRing = errors.New("seal: this is no key file: it has a line of 64 hexadecimal digits a key")

	// ErrKey says that something was sealed with a key that is not on the ring.
	ErrKey = errors.New("seal: it was sealed with a key that is not here: bring back the key file that belongs to it")

	// ErrSeal says that something was never sealed for this purpose and person, or was
	// changed since.
	ErrSeal = errors.New("seal: it was not sealed for this, or was changed since")
)

// ID names a key and says nothing about it.
type ID [8]byte

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Ring is the keys of a house. It never changes and may be used at the same time.
type Ring struct{ keys []key }

type key struct {
	id  ID
	raw []byte
}

// derive is a key for one purpose.
func derive(raw []byte, purpose string, length int) []byte {
	made, err := hkdf.Key(sha256.New, raw, nil, "copse "+purpose, length)
	if err != nil {
		panic(err) // a length that cannot be
	}
	return made
}

func newKey(raw []byte) key {
	return key{ID(derive(raw, "key id", len(ID{}))), bytes.Clone(raw)}
}

// NewRing is a ring of one key: that of the house.
func NewRing(house []byte) (*Ring, error) {
	if len(house) != KeyLength {
		return nil, ErrRing
	}
	return &Ring{[]key{newKey(house)}}, nil
}

// Parse reads a key file.
func Parse(raw []byte) (*Ring, error) {
	r := &Ring{}
	for line := range strings.Lines(strings.TrimSpace(string(raw))) {
		one, err := hex.DecodeString(strings.TrimSpace(line))
		if err != nil || len(one) != KeyLength || len(r.keys) == mostKeys {
			return nil, ErrRing
		}
		k := newKey(one)
		if r.Has(k.id) {
			return nil, ErrRing // twice
		}
		r.keys = append(r.keys, k)
	}
	if len(r.keys) == 0 {
		return nil, ErrRing
	}
	return r, nil
}

// Format is the ring as its file.
func (r *Ring) Format() []byte {
	var b []byte
	for _, k := range r.keys {
		b = append(hex.AppendEncode(b, k.raw), '\n')
	}
	return b
}

// House is the key of the house, which stays the same however often keys are changed.
func (r *Ring) House() []byte { return bytes.Clone(r.keys[0].raw) }

// Current is the key that seals.
func (r *Ring) Current() ID { return r.keys[len(r.keys)-1].id }

// Has tells whether a key is on the ring.
func (r *Ring) Has(id ID) bool {
	for _, k := range r.keys {
		if k.id == id {
			return true
		}
	}
	return false
}

// Len is how many keys there are.
func (r *Ring) Len() int { return len(r.keys) }

// Equal tells whether two rings are the same.
func (r *Ring) Equal(other *Ring) bool { return bytes.Equal(r.Format(), other.Format()) }

// Grown is the ring with a new key, which seals from now on.
func (r *Ring) Grown() *Ring {
	raw := make([]byte, KeyLength)
	_, _ = rand.Read(raw) // it never fails
	return &Ring{append(r.keys[:len(r.keys):len(r.keys)], newKey(raw))}
}

// Trimmed is the ring without the keys that neither seal nor are that of the house.
func (r *Ring) Trimmed() *Ring {
	if len(r.keys) < 3 {
		return r
	}
	return &Ring{[]key{r.keys[0], r.keys[len(r.keys)-1]}}
}

// What is sealed begins with the format, then names the key.
const (
	format = 1
	front  = 1 + len(ID{})
)

// cipherOf is the cipher of a key for a purpose.
func cipherOf(k key, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(derive(k.raw, "seal "+purpose, 32))
	if err != nil {
		panic(err) // a length that cannot be
	}
	made, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return made
}

// bound is what a sealed thing belongs to.
func bound(head []byte, purpose, person string) []byte {
	b := append(bytes.Clone(head), binary.AppendUvarint(nil, uint64(len(purpose)))...)
	return append(append(b, purpose...), person...)
}

// Seal seals something for a purpose and a person, who is nobody for what belongs to the
// house.
func (r *Ring) Seal(purpose, person string, plain []byte) []byte {
	k := r.keys[len(r.keys)-1]
	head := append([]byte{format}, k.id[:]...)
	return cipherOf(k, purpose).Seal(head, nil, plain, bound(head, purpose, person))
}

// Open opens what was sealed for this purpose and person: ErrKey where the key is not
// here, ErrSeal where it is not what was sealed.
func (r *Ring) Open(purpose, person string, sealed []byte) ([]byte, error) {
	id, err := KeyOf(sealed)
	if err != nil {
		return nil, err
	}
	for _, k := range r.keys {
		if k.id != id {
			continue
		}
		plain, err := cipherOf(k, purpose).Open(nil, nil, sealed[front:], bound(sealed[:front:front], purpose, person))
		if err != nil {
			return nil, ErrSeal
		}
		return plain, nil
	}
	return nil, fmt.Errorf("%w (key %s)", ErrKey, id)
}

// KeyOf is the key that something says it was sealed with.
func KeyOf(sealed []byte) (ID, error) {
	if len(sealed) < front || sealed[0] != format {
		return ID{}, ErrSeal
	}
	return ID(sealed[1:front]), nil
}
