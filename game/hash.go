//go:build !wasip1

package game

import (
	"crypto/hmac"
	"crypto/sha256"
)

// Sum256 is the SHA-256 of some bytes.
func Sum256(bytes []byte) [32]byte { return sha256.Sum256(bytes) }

// mac256 is the HMAC-SHA256 of a message.
func mac256(key, message []byte) [32]byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return [32]byte(mac.Sum(nil))
}
