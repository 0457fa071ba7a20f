package game

// RawMessage is JSON as it is written: json.RawMessage without the package, which
// a browser would have to load for it.
type RawMessage []byte

// JSON is the message itself, null where there is none.
func (m RawMessage) JSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// ReadJSON takes a message as it is.
func (m *RawMessage) ReadJSON(raw []byte) error {
	*m = append((*m)[:0], raw...)
	return nil
}

// What has a JSON of its own writes and reads it by methods that are not called as
// encoding/json calls them: whoever calls those links what the standard library has
// under that name, such as dates in all their forms, and a browser would load it.
type (
	writesItself interface{ JSON() ([]byte, error) }
	readsItself  interface{ ReadJSON(raw []byte) error }
)

func writeOwn(v writesItself) ([]byte, error) { return v.JSON() }
func readOwn(v readsItself, raw []byte) error { return v.ReadJSON(raw) }
