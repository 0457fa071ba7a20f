package game

// In a browser the small hash is enough: the packages under crypto bring ciphers
// and tests of themselves along, which every visitor would load.

// Sum256 is the SHA-256 of some bytes.
func Sum256(bytes []byte) [32]byte { return smallSum256(bytes) }

// mac256 is the HMAC-SHA256 of a message.
func mac256(key, message []byte) [32]byte { return smallMAC256(key, message) }
