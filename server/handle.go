package server

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"copse/store"
)

// handles name people to operators: guests have no name that is theirs alone, and the
// name of an account never leaves the house. A handle is that name under a key of the
// house, the same every time, and nobody can make one that leads to somebody.
type handles struct {
	block cipher.Block
	mac   []byte
}

func newHandles(key []byte) handles {
	raw, err := hkdf.Key(sha256.New, key, nil, "copse handle", 64)
	if err != nil {
		panic(err) // a length that cannot be
	}
	block, err := aes.NewCipher(raw[:32])
	if err != nil {
		panic(err)
	}
	return handles{block, raw[32:]}
}

// handleTag is how many bytes of a handle tell that the house has made it.
const handleTag = 8

func (h handles) tag(account []byte) []byte {
	mac := hmac.New(sha256.New, h.mac)
	mac.Write(account)
	return mac.Sum(nil)[:handleTag]
}

func (h handles) flip(tag, raw []byte) []byte {
	var start [aes.BlockSize]byte
	copy(start[:], tag)
	out := make([]byte, len(raw))
	cipher.NewCTR(h.block, start[:]).XORKeyStream(out, raw)
	return out
}

// of is the handle of an account.
func (h handles) of(account string) string {
	tag := h.tag([]byte(account))
	return base64.RawURLEncoding.EncodeToString(append(tag, h.flip(tag, []byte(account))...))
}

// account is who is meant by a handle, or store.ErrNone.
func (h handles) account(handle string) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(handle)
	if err != nil || len(raw) <= handleTag {
		return "", store.ErrNone
	}
	account := h.flip(raw[:handleTag], raw[handleTag:])
	if !hmac.Equal(h.tag(account), raw[:handleTag]) || !store.ValidID(string(account)) {
		return "", store.ErrNone
	}
	return string(account), nil
}
