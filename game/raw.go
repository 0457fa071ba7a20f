//go:build !wasip1

package game

import "encoding/json"

// RawMessage is JSON as it is written.
type RawMessage = json.RawMessage
