package table

import (
	"bytes"
	"encoding/json"

	"copse/game"
)

// exportFormat is the version of the form of an export.
const exportFormat = 1

// The bounds of an export that is read.
const (
	longestExport = 64 << 20
	longestHead   = game.LargestBox + 1<<10
	longestLine   = longestEntry + 1<<10
)

// Export writes a finished game for anyone to keep and verify, as lines of JSON.
// The first line says what this is, and has the box unless it is the one that comes
// with the game. Every other line has an entry and its hash in the chain. A game
// that goes on cannot be exported: its secret must not be told.
func (t *Table) Export() ([]byte, error) {
	if !t.Over() {
		return nil, no("table.export", nil)
	}
	out := pen(exportHead(t.keep.Box))
	entries := t.Log()
	for n, hash := range Chain(t.keep.Secret, entries) {
		out = appendLine(out, hash, entries[n])
	}
	return out, nil
}

func exportHead(box json.RawMessage) []byte {
	var p pen
	p.open()
	p.text("copse", "game")
	p.number("format", exportFormat)
	if box != nil {
		p.raw("box", box)
	}
	p.close()
	return append(p, '\n')
}

func appendLine(p pen, hash Hash, entry []byte) pen {
	p.open()
	p.hex("hash", hash[:])
	p.raw("entry", entry)
	p.close()
	return append(p, '\n')
}

// exported is an export as it was read.
type exported struct {
	box     json.RawMessage
	entries [][]byte
	read    []Entry
	hashes  []Hash
}

// readExport reads an export. It takes only what Export would write.
func readExport(raw []byte) (*exported, error) {
	if len(raw) > longestExport {
		return nil, &Wrong{-1, game.Blame("table.export.long", game.Args{"bytes": len(raw), "most": longestExport})}
	}
	head, rest, _ := bytes.Cut(raw, []byte("\n"))
	x := &exported{}
	if err := x.readHead(head); err != nil {
		return nil, &Wrong{-1, err}
	}
	for n := 0; len(rest) > 0; n++ {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if err := x.readLine(line); err != nil {
			return nil, &Wrong{n, err}
		}
		if !whole { // the file was cut off
			return nil, &Wrong{n, game.Blame("table.export.short", nil)}
		}
		rest = after
	}
	if len(x.read) == 0 || x.read[len(x.read)-1].Do != Ended {
		return nil, &Wrong{max(len(x.read)-1, 0), game.Blame("table.export.short", nil)}
	}
	return x, nil
}

func (x *exported) readHead(line []byte) error {
	if len(line) > longestHead {
		return game.Blame("table.export.head", nil)
	}
	r := eye{raw: line}
	r.skip("{")
	r.name("copse")
	what := r.text()
	r.name("format")
	format := r.number(0, 1<<20)
	if r.bad || what != "game" {
		return game.Blame("table.export.head", nil)
	}
	if format != exportFormat {
		return game.Blame("table.export.format", game.Args{"format": format, "known": exportFormat})
	}
	if r.has("box") {
		x.box = r.object(game.LargestBox)
	}
	if r.skip("}"); r.bad || r.at != len(line) {
		return game.Blame("table.export.head", nil)
	}
	return nil
}

func (x *exported) readLine(line []byte) error {
	if len(line) > longestLine {
		return game.Blame("table.entry.long", game.Args{"bytes": len(line), "most": longestLine})
	}
	var hash Hash
	r := eye{raw: line}
	r.skip("{")
	r.name("hash")
	r.hex(hash[:])
	r.name("entry")
	from := r.at
	if r.bad || len(line) < from+1 || line[len(line)-1] != '}' {
		return game.Blame("table.entry", game.Args{"at": r.at})
	}
	entry := line[from : len(line)-1]
	e, err := ReadEntry(entry)
	if err != nil {
		return err
	}
	x.entries, x.read, x.hashes = append(x.entries, entry), append(x.read, e), append(x.hashes, hash)
	return nil
}
