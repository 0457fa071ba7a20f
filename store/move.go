package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"
)

// Mover is a store whose content can be read out whole and put into another, of
// whatever kind. Snapshots, claims and gauges are left behind: they are caches, or
// over in a moment.
type Mover interface {
	// Dump reads everything out, as it is at one moment, while everything goes on:
	// accounts, their passes in the order in which they were admitted, papers by kind
	// and key, tables by Serial, jobs by ID, and the pulse. It leaves out tables up to a Serial that the
	// caller knows. Damage ends it.
	Dump(ctx context.Context, after int64, each func(Piece) error) error

	// Fill keeps pieces that another store has given, all of one call or none, with
	// the serials of tables and the IDs of jobs that they have. What is here already
	// stays as it is, so that a call may be repeated; the pulse is replaced. Accounts
	// come before what names them.
	Fill(ctx context.Context, pieces ...Piece) error

	// Reached is the greatest Serial of all tables, 0 where there is none.
	Reached(ctx context.Context) (int64, error)

	// Pieces is how many pieces there are.
	Pieces(ctx context.Context) (int, error)

	// House is the name of this database, which no other has.
	House(ctx context.Context) (string, error)
}

// Piece is one of the things that a store keeps; the others are nil.
type Piece struct {
	Account *Account
	Pass    *Pass
	Paper   *Paper
	Table   *Whole
	Job     *Job
	Pulse   *Pulse
}

// Whole is everything that is kept of a table.
type Whole struct {
	Listing
	Box   []byte // nil for none
	Said  int    // how many lines of chat there ever were
	Lines []KeptLine

	// Of a log that is not packed:
	Log  []Entry
	Keys []Key

	// Of a log that is packed:
	Pack  []byte    // as Pack has made it
	Brief []byte    // the keys that are still known, as package kept writes them; nil for none
	Until time.Time // until when
}

// Entries are the entries of the log, packed or not.
func (w *Whole) Entries() ([]Entry, error) {
	if w.Packed {
		return Unpack(w.Pack)
	}
	return w.Log, nil
}

// Key is what is remembered of an append that may be repeated.
type Key struct {
	Number int // the entry at which the append begins
	Key    int64
	Asked  uint32
	Till   int // the number behind the append
	Answer []byte
}

// KeptLine is a line of chat, with what is remembered of its key; 0 for none.
type KeptLine struct {
	ChatLine
	Key int64
}

// Pulse is when the house was last at work, and when it was not.
type Pulse struct {
	At      time.Time // zero: there was no beat yet
	Away    time.Duration
	Outages []Outage
}

// Name says which piece it is, for messages.
func (p *Piece) Name() string {
	switch {
	case p.Account != nil:
		return "person " + p.Account.ID
	case p.Pass != nil:
		return "a pass of person " + p.Pass.Account
	case p.Paper != nil:
		return "paper " + p.Paper.Name()
	case p.Table != nil:
		return "table " + p.Table.ID
	case p.Job != nil:
		return "job " + p.Job.Kind + " " + p.Job.Name
	}
	return "the pulse of the house"
}

// Digest is of all that a piece says. Two pieces with one digest are the same.
func (p *Piece) Digest() [sha256.Size]byte {
	d := digester{sha256.New()}
	switch {
	case p.Account != nil:
		a := p.Account
		d.text("account").text(a.ID).text(a.Name).bytes(a.Salt).time(a.Born).bytes(a.More).time(a.Seen).int(a.Version)
	case p.Pass != nil:
		a := p.Pass
		d.text("pass").bytes(a.Digest[:]).int(int64(a.Kind)).text(a.Account).time(a.Born).time(a.Until).text(a.Label).time(a.Used)
	case p.Paper != nil:
		a := p.Paper
		d.text("paper").text(a.Kind).text(a.Key).text(a.Owner).bytes(a.Body).time(a.Until).int(a.Version)
	case p.Table != nil:
		d.text("table").table(p.Table)
	case p.Job != nil:
		j := p.Job
		d.text("job").int(j.ID).text(j.Kind).text(j.Name).time(j.Due).int(int64(j.Tries)).bytes(j.Body)
	case p.Pulse != nil:
		d.text("pulse").time(p.Pulse.At).int(p.Pulse.Away.Milliseconds()).int(int64(len(p.Pulse.Outages)))
		for _, o := range p.Pulse.Outages {
			d.time(o.From).time(o.Until)
		}
	}
	return [sha256.Size]byte(d.Sum(nil))
}

// digester feeds a hash value by value, each behind its length.
type digester struct{ hash.Hash }

func (d digester) int(n int64) digester {
	d.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	return d
}

func (d digester) bytes(b []byte) digester {
	d.int(int64(len(b))).Write(b)
	return d
}

func (d digester) text(s string) digester    { return d.bytes([]byte(s)) }
func (d digester) time(t time.Time) digester { return d.int(Milli(t)) }
func (d digester) yes(b bool) digester       { return d.text(map[bool]string{true: "yes", false: "no"}[b]) }
func (d digester) absent(b []byte) digester  { return d.yes(b == nil).bytes(b) }
func (d digester) listing(l *Listing) digester {
	d.text(l.ID).int(l.Serial).int(int64(l.Next)).time(l.Changed).yes(l.Packed)
	d.text(l.Game).yes(l.Listed).yes(l.Over).int(int64(l.Turn)).time(l.Wake).bytes(l.About).bytes(l.Private).int(int64(len(l.Sitting)))
	for _, account := range l.Sitting {
		d.text(account)
	}
	return d
}

func (d digester) table(w *Whole) {
	d.listing(&w.Listing).absent(w.Box).int(int64(w.Said)).int(int64(len(w.Lines)))
	for i := range w.Lines {
		l := &w.Lines[i]
		d.int(int64(l.Number)).time(l.At).text(l.Account).bytes(l.Body).int(l.Key)
	}
	d.int(int64(len(w.Log)))
	for _, e := range w.Log {
		d.int(int64(e.Number)).time(e.At).bytes(e.Body)
	}
	d.int(int64(len(w.Keys)))
	for _, k := range w.Keys {
		d.int(int64(k.Number)).int(k.Key).int(int64(k.Asked)).int(int64(k.Till)).bytes(k.Answer)
	}
	d.bytes(w.Pack).bytes(w.Brief).time(w.Until)
}
