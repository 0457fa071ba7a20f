//go:build !wasip1

package engine

import "crypto/rand"

// randomSecret is where chance comes from when nobody names a seed.
func randomSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return secret
}
