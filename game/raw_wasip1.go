package game

// RawMessage is JSON as it is written: json.RawMessage without the package, which
// a browser would have to load for it.
type RawMessage []byte

// MarshalJSON is the message itself, null where there is none.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON takes a message as it is.
func (m *RawMessage) UnmarshalJSON(raw []byte) error {
	*m = append((*m)[:0], raw...)
	return nil
}
