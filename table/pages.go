package table

import "bytes"

// pages keep the entries of a log close together, one entry a line, stride lines a
// page: a slice for every entry would cost a third more. No entry has a line break
// in it.
type pages struct {
	full [][]byte
	last []byte // the page that is being filled
	n    int
}

// add writes an entry down.
func (p *pages) add(entry []byte) {
	p.last = append(append(p.last, entry...), '\n')
	if p.n++; p.n%stride == 0 {
		p.full = append(p.full, bytes.Clone(p.last))
		p.last = nil
	}
}

// at is entry n, which must exist.
func (p *pages) at(n int) []byte {
	page := p.last
	if n/stride < len(p.full) {
		page = p.full[n/stride]
	}
	for range n % stride {
		_, page, _ = bytes.Cut(page, []byte{'\n'})
	}
	entry, _, _ := bytes.Cut(page, []byte{'\n'})
	return entry
}

// all is every entry.
func (p *pages) all() [][]byte {
	list := make([][]byte, p.n)
	for n := range list {
		list[n] = p.at(n)
	}
	return list
}
