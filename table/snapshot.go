package table

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"

	"copse/game"
)

// A snapshot is a table as its log has made it, so that a long log need not be
// folded again: the log itself, the waypoint of each entry, and the states that are
// kept. Positions are not in it: a line of play is short, and its moves make them
// again. A snapshot is a cache. It counts only if the secret of the table has
// signed it, and whoever opens one compares its last entry with the log.

// snapshotVersion is the form of a snapshot. It is raised with every change of what
// is in one, and of what a log folds to.
const snapshotVersion = 2

// largestSnapshot is how large a snapshot may become when it is unpacked.
const largestSnapshot = 64 << 20

// ErrSnapshot says that these bytes are no snapshot of this table, or none that
// this program understands: the table must be made from its log.
var ErrSnapshot = errors.New("table: no snapshot of this table")

// Snapshot writes the table as it is now, for Restore.
func (t *Table) Snapshot() []byte {
	w := quill(binary.AppendUvarint(nil, uint64(t.log.n)))
	for n := range t.log.full {
		w = append(w, t.log.full[n]...)
	}
	w = append(w, t.log.last...)
	w.int(int64(t.start))
	var last waypoint
	for _, m := range t.trace {
		w.int(int64(m.tip - last.tip))
		w.int(int64(m.draws) - int64(last.draws))
		w.int(int64(m.turn) - int64(last.turn))
		w.int(int64(m.actor))
		last = m
	}
	for i := range t.stops {
		w.state(&t.stops[i])
	}
	w.state(&t.now)

	var packed bytes.Buffer
	packed.WriteByte(snapshotVersion)
	z, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		panic("table: a snapshot cannot be packed: " + err.Error())
	}
	_, _ = z.Write(w) // a buffer takes everything
	_ = z.Close()
	return append(packed.Bytes(), t.keep.sign(packed.Bytes())...)
}

// sign proves that somebody who had the secret wrote a snapshot.
func (k *Keep) sign(packed []byte) []byte {
	mac := hmac.New(sha256.New, k.Secret[:])
	mac.Write([]byte("copse snapshot\n"))
	mac.Write(packed)
	return mac.Sum(nil)
}

// Restore makes the table from a snapshot, as far as its log went then. After
// ErrSnapshot the table must be made from its log.
func Restore(shelf *Shelf, keep Keep, snapshot []byte) (*Table, error) {
	n := len(snapshot) - sha256.Size
	if n < 1 || snapshot[0] != snapshotVersion || !hmac.Equal(keep.sign(snapshot[:n]), snapshot[n:]) {
		return nil, ErrSnapshot
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(snapshot[1:n])), largestSnapshot))
	if err != nil {
		return nil, ErrSnapshot
	}
	t := &Table{shelf: shelf, keep: keep}
	if err := t.restore(raw); err != nil {
		return nil, err
	}
	return t, nil
}

// restore takes over what a snapshot says. It makes sure only that one can go on
// from it; the signature vouches for the rest.
func (t *Table) restore(raw []byte) error {
	r := &reading{raw: raw}
	entries := r.count(len(raw))
	if !r.log(&t.log, entries) {
		return ErrSnapshot
	}
	first, err := ReadEntry(t.log.at(0))
	if err != nil || t.set(&first) != nil {
		return ErrSnapshot
	}
	t.start = int32(r.within(-1, int64(entries)-1))
	t.trace = make([]waypoint, entries)
	var last waypoint
	for n := range t.trace {
		last.tip = int32(r.within(-int64(n), int64(n)) + int64(last.tip))
		last.draws = uint16(r.int() + int64(last.draws))
		last.turn = uint16(r.int() + int64(last.turn))
		last.actor = game.Seat(r.within(int64(game.Watcher), game.MaxSeats-1))
		if last.tip < 0 || int(last.tip) > n {
			return ErrSnapshot
		}
		t.trace[n] = last
	}
	t.stops = make([]state, entries/stride)
	for i := range t.stops {
		r.state(&t.stops[i], t.settings.Seats)
	}
	r.state(&t.now, t.settings.Seats)
	if r.bad || len(r.raw) != 0 || int(t.now.next) != entries || int(t.now.tip) >= entries || t.now.phase == playing && t.start < 0 {
		return ErrSnapshot
	}
	return t.regain()
}

// regain makes the position of a restored table by playing its line of play.
func (t *Table) regain() (err error) {
	defer func() { // a line that cannot be played is no line of this table
		if recover() != nil {
			err = ErrSnapshot
		}
	}()
	if t.start >= 0 {
		t.now.pos = t.positionAt(int(t.now.tip))
	}
	return nil
}

// stop is the state after so many strides of entries. A restored one has no
// position yet: it is made when somebody asks.
func (t *Table) stop(i int) state {
	s := &t.stops[i]
	if s.pos == nil && t.start >= 0 && s.next > t.start {
		s.pos = t.positionAt(int(s.tip))
	}
	return *s
}

// Extend applies an entry as the log has it. An entry that cannot stand there
// changes nothing.
func (t *Table) Extend(raw []byte) error {
	e, err := ReadEntry(raw)
	if err == nil {
		return t.ExtendBy(e, raw)
	}
	return &Wrong{Entry: t.Len(), Err: err}
}

// ExtendBy does so where the entry was read already.
func (t *Table) ExtendBy(e Entry, raw []byte) error {
	_, err := t.apply(&e, raw)
	if err != nil {
		return &Wrong{Entry: t.Len(), Err: err}
	}
	return nil
}

// quill writes the numbers of a snapshot.
type quill []byte

func (w *quill) int(n int64) { *w = binary.AppendVarint(*w, n) }

func (w *quill) text(text string) {
	w.int(int64(len(text)))
	*w = append(*w, text...)
}

func (w *quill) flag(on bool) {
	if on {
		*w = append(*w, 1)
	} else {
		*w = append(*w, 0)
	}
}

// state writes a state, but for its position.
func (w *quill) state(s *state) {
	for _, n := range []int64{
		int64(s.next), int64(s.last), int64(s.tip), int64(s.draws), int64(s.phase), int64(s.why),
		int64(s.size), int64(s.outs), int64(s.mover), int64(s.at),
	} {
		w.int(n)
	}
	w.flag(s.paused)
	for seat := range s.seats() {
		c := &s.chairs[seat]
		*w = append(append(*w, c.person[:]...), c.nonce[:]...)
		for _, n := range []int64{int64(c.holder), int64(c.since), int64(c.undos), int64(c.out), int64(c.bank), int64(c.asked)} {
			w.int(n)
		}
		w.flag(c.ranOut)
		w.text(c.player)
	}
	w.int(int64(len(s.barred)))
	for _, person := range s.barred {
		*w = append(*w, person[:]...)
	}
	for _, a := range s.asks {
		w.flag(a.open)
		for _, n := range []int64{int64(a.by), int64(a.to), int64(a.agreed), int64(a.declined)} {
			w.int(n)
		}
	}
}

// reading reads what a quill has written. After something that cannot be read,
// everything is zero.
type reading struct {
	raw []byte
	bad bool
}

func (r *reading) int() int64 {
	n, size := binary.Varint(r.raw)
	if r.bad || size <= 0 {
		r.bad = true
		return 0
	}
	r.raw = r.raw[size:]
	return n
}

func (r *reading) within(least, most int64) int64 {
	n := r.int()
	if n < least || n > most {
		r.bad = true
		return least
	}
	return n
}

// count reads how many of something follow, each at least a byte.
func (r *reading) count(most int) int {
	n, size := binary.Uvarint(r.raw)
	if size <= 0 || n > uint64(most) {
		r.bad = true
		return 0
	}
	r.raw = r.raw[size:]
	return int(n)
}

func (r *reading) bytes(into []byte) {
	if r.bad || len(r.raw) < len(into) {
		r.bad = true
		return
	}
	r.raw = r.raw[copy(into, r.raw):]
}

func (r *reading) flag() bool {
	var b [1]byte
	r.bytes(b[:])
	return b[0] == 1
}

// log reads the entries, a page at a time.
func (r *reading) log(into *pages, entries int) bool {
	if r.bad || entries == 0 {
		return false
	}
	for into.n < entries {
		lines, end := min(stride, entries-into.n), 0
		for range lines {
			n := bytes.IndexByte(r.raw[end:], '\n')
			if n < 0 {
				return false
			}
			end += n + 1
		}
		page := bytes.Clone(r.raw[:end])
		if r.raw = r.raw[end:]; lines == stride {
			into.full = append(into.full, page)
		} else {
			into.last = page
		}
		into.n += lines
	}
	return true
}

// state reads a state of a table of so many seats.
func (r *reading) state(s *state, seats int) {
	const number = mostNumber
	s.next, s.last, s.tip = int32(r.within(0, number)), int32(r.within(-1, number)), int32(r.within(-1, number))
	s.draws, s.phase, s.why = int32(r.within(0, number)), phase(r.within(0, int64(ended))), Why(r.within(0, int64(Abandoned)))
	s.size, s.outs, s.mover = int8(r.within(int64(seats), int64(seats))), int8(r.within(0, int64(seats))), game.Seat(r.within(int64(game.None), int64(seats)-1))
	s.at, s.paused = Time(r.within(0, int64(latest))), r.flag()
	for seat := range seats {
		c := &s.chairs[seat]
		r.bytes(c.person[:])
		r.bytes(c.nonce[:])
		c.holder, c.since, c.undos = Holder(r.within(0, int64(Replaced))), int32(r.within(0, number)), int32(r.within(0, number))
		c.out, c.bank = int8(r.within(0, int64(seats))), Time(r.within(0, int64(latest)))
		c.asked, c.ranOut = Time(r.within(0, int64(latest))), r.flag()
		player := make([]byte, r.within(0, longestPlayer))
		r.bytes(player)
		c.player = string(player)
	}
	for range r.within(0, int64(len(r.raw)/len(Person{}))) {
		var person Person
		r.bytes(person[:])
		s.barred = append(s.barred, person)
	}
	for w := range s.asks {
		a := &s.asks[w]
		a.open, a.by, a.to = r.flag(), game.Seat(r.within(int64(game.None), game.MaxSeats)), int32(r.within(0, number))
		a.agreed, a.declined = uint8(r.within(0, 255)), uint8(r.within(0, 255))
	}
}
