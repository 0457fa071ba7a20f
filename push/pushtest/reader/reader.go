// Package reader reads what is pushed to a browser, as one does: RFC 8188 and 8291 once
// more, in the other direction and by other hands than package push, which its tests
// hold to it.
package reader

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// Read reads a message to the browser that has this key and this secret.
func Read(private *ecdh.PrivateKey, auth, raw []byte) ([]byte, error) {
	if len(raw) < 21 || len(raw) > 4096 || len(raw) < 21+int(raw[20]) {
		return nil, errors.New("too short or too long")
	}
	salt, size, public, sealed := raw[:16], binary.BigEndian.Uint32(raw[16:]), raw[21:21+int(raw[20])], raw[21+int(raw[20]):]
	if int(size) < len(sealed) {
		return nil, errors.New("more than a record")
	}
	theirs, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	shared, err := private.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	pick := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		if err != nil {
			panic(err) // a length that cannot be
		}
		return key
	}
	secret := pick(shared, auth, "WebPush: info\x00"+string(private.PublicKey().Bytes())+string(public), 32)
	block, err := aes.NewCipher(pick(secret, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, pick(secret, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		return nil, err
	}
	plain = bytes.TrimRight(plain, "\x00")
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("not the last record")
	}
	return plain[:len(plain)-1], nil
}
