package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// recordSize is how long a record may be: all of a message is one.
const recordSize = 4096

// padding is to what a message is filled up, so that its length tells nothing.
const padding = 1024

// seal seals a message for a browser (RFC 8291, in one record of RFC 8188), with a key
// and a salt that are used for nothing else.
func seal(s *Subscription, message []byte, own *ecdh.PrivateKey, salt []byte, pad int) ([]byte, error) {
	theirs, err := ecdh.P256().NewPublicKey(s.Public)
	if err != nil {
		return nil, ErrSubscription
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, ErrSubscription
	}
	public := own.PublicKey().Bytes()
	secret, err := hkdf.Key(sha256.New, shared, s.Auth, "WebPush: info\x00"+string(s.Public)+string(public), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, recordSize), salt...)
	out = binary.BigEndian.AppendUint32(out, recordSize)
	out = append(append(out, byte(len(public))), public...)
	plain := append(append(make([]byte, 0, recordSize), message...), 2) // the last record
	if more := pad - len(message); more > 0 {
		plain = append(plain, make([]byte, more)...)
	}
	return gcm.Seal(out, nonce, plain, nil), nil
}

// Seal seals a message for a browser.
func Seal(s *Subscription, message []byte) ([]byte, error) {
	if len(message) > LargestMessage {
		return nil, fmt.Errorf("push: a message of %d bytes is more than %d", len(message), LargestMessage)
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // it never fails
	return seal(s, message, own, salt, padding)
}

// ErrKey refuses what is no key of a house.
var ErrKey = errors.New("push: this is no private key for push services")

// Key is the key by which push services know a house. Browsers are given its public half
// when they subscribe, and take no message that was signed with another.
type Key struct{ private *ecdsa.PrivateKey }

// NewKey makes a key.
func NewKey() (*Key, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return &Key{private}, nil
}

// ReadKey reads the private half of a key, as Private gives it.
func ReadKey(raw []byte) (*Key, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return nil, ErrKey
	}
	return &Key{private}, nil
}

// Private is the private half: whoever has it can send in the name of the house.
func (k *Key) Private() []byte {
	raw, err := k.private.Bytes()
	if err != nil {
		panic(err) // a curve that cannot be
	}
	return raw
}

// Public is the public half, as browsers want it when they subscribe.
func (k *Key) Public() []byte {
	raw, err := k.private.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	return raw
}

// validFor is how long a signature is good; services take a day at most.
const validFor = 12 * time.Hour

// authorize is the header that says who sends (RFC 8292): to the service at an address,
// until soon.
func (k *Key) authorize(to *url.URL, subject string, now time.Time) (string, error) {
	claims, err := json.Marshal(struct {
		Aud string `json:"aud"`
		Exp int64  `json:"exp"`
		Sub string `json:"sub,omitempty"`
	}{"https://" + to.Hostname(), now.Add(validFor).Unix(), subject})
	if err != nil {
		return "", err
	}
	signed := base([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + base(claims)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return "vapid t=" + signed + "." + base(signature) + ", k=" + base(k.Public()), nil
}
