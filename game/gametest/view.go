package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"copse/game"
)

// View compares a view as it is sent with a file that somebody has read, so that a
// leak, a lost field or a new name shows as a difference in a text for people. It
// also makes sure that the file can be opened. With the environment variable
// [WriteGames] set it first writes the file if it is missing.
func View(t *testing.T, g game.Game, set game.Settings, viewer game.Seat, view json.RawMessage, path string) {
	t.Helper()
	shown := append(readable(view), '\n')
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv(WriteGames) != "" {
		want, err = shown, writeNew(path, shown)
	}
	if err != nil {
		t.Errorf("%v: write it with %s=1 go test -run '^%s$'", err, WriteGames, t.Name())
		return
	}
	if !bytes.Equal(shown, want) {
		t.Errorf("%s is not what %v sees now:\n%s", path, viewer, shown)
	}
	if _, err := g.Open(set, viewer, want); err != nil {
		t.Errorf("%s cannot be opened: %v", path, err)
	}
}

// readable is JSON for people: what fits on a line stands on one, the rest is
// indented.
func readable(raw json.RawMessage) []byte {
	const line = 120
	var folded func(raw json.RawMessage, indent string, room int) string
	folded = func(raw json.RawMessage, indent string, room int) string {
		flat := string(raw)
		if len(flat) <= room || flat[0] != '{' && flat[0] != '[' {
			return flat
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		_, _ = dec.Token() // the bracket
		deeper := indent + "  "
		var parts []string
		for dec.More() {
			part := deeper
			if flat[0] == '{' {
				name, _ := dec.Token()
				quoted, _ := json.Marshal(name)
				part += string(quoted) + ": "
			}
			var value json.RawMessage
			if dec.Decode(&value) != nil {
				return flat
			}
			parts = append(parts, part+folded(value, deeper, line-len(part)))
		}
		return flat[:1] + "\n" + strings.Join(parts, ",\n") + "\n" + indent + flat[len(flat)-1:]
	}
	return []byte(folded(raw, "", line))
}
