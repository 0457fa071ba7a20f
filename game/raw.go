//go:build !wasip1

package game

import "encoding/json"

// RawMessage is JSON as it is written.
type RawMessage = json.RawMessage

// What has a JSON of its own writes and reads it as encoding/json asks for it.
type (
	writesItself = json.Marshaler
	readsItself  = json.Unmarshaler
)

func writeOwn(v writesItself) ([]byte, error) { return v.MarshalJSON() }
func readOwn(v readsItself, raw []byte) error { return v.UnmarshalJSON(raw) }
