package engine

import "unsafe"

// randomSecret is where chance comes from when nobody names a seed: what the
// host of the program gives, which crypto/rand would ask too.
func randomSecret() []byte {
	secret := make([]byte, 32)
	if randomGet(unsafe.Pointer(unsafe.SliceData(secret)), int32(len(secret))) != 0 {
		panic("engine: the host has no random numbers")
	}
	return secret
}

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func randomGet(at unsafe.Pointer, length int32) (fault int32)
