package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"copse/peace"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// Desk is where operators keep the peace: what the page of operators and the commands
// copse people and copse reports ask for. It reads through to the store.
type Desk struct {
	Hall   *hall.Hall
	Serves bool // the hall lets things happen at tables: who is banned leaves them at once
	handles
}

// NewDesk is the desk of a hall whose house has this key.
func NewDesk(h *hall.Hall, key []byte) *Desk { return &Desk{h, true, newHandles(key)} }

// DeskMark is something that is in force for somebody.
type DeskMark struct {
	Since table.Time  `json:"since"`
	Until *table.Time `json:"until,omitempty" about:"Nothing where it has no end."`
	Why   string      `json:"why"`
}

func deskMark(m *peace.Mark) *DeskMark {
	if m == nil {
		return nil
	}
	return &DeskMark{table.Time(m.Since), untilOf(m.Until), m.Why}
}

// untilOf is an end as it is told; nil for none.
func untilOf(ms int64) *table.Time {
	if ms == 0 {
		return nil
	}
	at := table.Time(ms)
	return &at
}

// DeskAct is what an operator did.
type DeskAct struct {
	Number int64       `json:"number"`
	At     table.Time  `json:"at"`
	By     string      `json:"by,omitempty" about:"The operator's name; nothing for a command on the machine."`
	Gone   bool        `json:"gone,omitempty" about:"The operator is no more."`
	Do     string      `json:"do"`
	Whom   string      `json:"whom,omitempty" about:"Their name now; nothing where they are no more."`
	Why    string      `json:"why"`
	Until  *table.Time `json:"until,omitempty" about:"Nothing where it has no end."`
	Report *int64      `json:"report,omitempty" about:"Because of which it was done."`
}

// DeskPerson is somebody as operators see them.
type DeskPerson struct {
	Person   string      `json:"person" about:"By this they are named here."`
	Name     string      `json:"name"`
	Member   *table.Time `json:"member,omitempty" about:"Since when they are a member; nothing for a guest."`
	Born     table.Time  `json:"born" about:"When they first came."`
	Muted    *DeskMark   `json:"muted,omitempty"`
	Banned   *DeskMark   `json:"banned,omitempty"`
	Operator bool        `json:"operator,omitempty"`
}

// DeskSheet is all that operators see of somebody.
type DeskSheet struct {
	DeskPerson
	Programs int          `json:"programs"`
	Tables   int          `json:"tables" about:"At which they sit, games that are over not counted."`
	Networks int          `json:"networks" about:"From how many networks they came within thirty days."`
	Near     int          `json:"near" about:"How many others came from the same networks."`
	Reports  []DeskReport `json:"reports"`
	Acts     []DeskAct    `json:"acts"`
}

// DeskReport is a report as operators see it.
type DeskReport struct {
	Number int64           `json:"number"`
	At     table.Time      `json:"at"`
	Why    string          `json:"why"`
	By     *DeskPerson     `json:"by,omitempty" about:"Who reported; nothing where they are no more."`
	Whom   *DeskPerson     `json:"whom,omitempty" about:"Who was reported; nothing where they are no more."`
	Text   string          `json:"text,omitempty" about:"What the reporter wrote."`
	Name   string          `json:"name,omitempty" about:"What the reported person was called then."`
	Said   string          `json:"said,omitempty" about:"What they had said, as it was."`
	Phrase string          `json:"phrase,omitempty" about:"Likewise, where it was a set phrase."`
	Table  string          `json:"table,omitempty"`
	Line   *int            `json:"line,omitempty"`
	Around []hall.ChatLine `json:"around,omitempty" about:"What was said around it."`
	Closed *DeskClosing    `json:"closed,omitempty"`
}

// DeskClosing is that somebody is done with a report.
type DeskClosing struct {
	At   table.Time `json:"at"`
	By   string     `json:"by,omitempty" about:"The operator's name; nothing for a command on the machine, or where they are no more."`
	Note string     `json:"note,omitempty"`
}

// Limits of lists at the desk.
const (
	mostPeople = 50
	mostAbout  = 100
	aroundLine = 6
	lastLines  = 20
)

func (d *Desk) book() peace.Book { return d.Hall.Peace() }

// brief is somebody in few words.
func (d *Desk) brief(ctx context.Context, p hall.Person) (DeskPerson, error) {
	marks, err := d.book().Marks(ctx, ownerOf(&p.Account))
	now := d.Hall.Now()
	one := DeskPerson{
		Person: d.of(p.Account.ID), Name: p.Account.Name, Born: table.At(p.Born), Operator: marks.Operator,
		Muted: deskMark(marks.MutedAt(now)), Banned: deskMark(marks.BannedAt(now)),
	}
	if p.Account.Member != 0 {
		one.Member = &p.Account.Member
	}
	return one, err
}

// behind is who is behind an alias; nil where they are no more.
func (d *Desk) behind(ctx context.Context, alias string) (*DeskPerson, error) {
	account, err := d.book().Known(ctx, alias)
	if err != nil || account == "" {
		return nil, err
	}
	p, err := d.Hall.PersonOf(ctx, account)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	one, err := d.brief(ctx, p)
	return &one, err
}

// called is the name of who is behind an alias; ok is false where they are no more.
func (d *Desk) called(ctx context.Context, alias string) (name string, ok bool, err error) {
	p, err := d.behind(ctx, alias)
	if err != nil || p == nil {
		return "", false, err
	}
	return p.Name, true, nil
}

func (d *Desk) act(ctx context.Context, a peace.Act) (DeskAct, error) {
	one := DeskAct{Number: a.Number, At: table.Time(a.At), Do: a.Do, Why: a.Why, Until: untilOf(a.Until)}
	if a.Report != 0 {
		one.Report = &a.Report
	}
	by, there, err := d.called(ctx, a.By)
	if err != nil {
		return one, err
	}
	one.By, one.Gone = by, a.By != "" && !there
	one.Whom, _, err = d.called(ctx, a.Whom)
	return one, err
}

// Acts are what operators did, the newest first, before a number; 0 for the last ones.
func (d *Desk) Acts(ctx context.Context, before int64, most int) ([]DeskAct, error) {
	if before <= 0 {
		n, err := d.book().Count(ctx)
		if err != nil {
			return nil, err
		}
		before = n + 1
	}
	from := max(before-int64(most)-1, 0)
	acts, err := d.book().Acts(ctx, from, int(before-1-from))
	if err != nil {
		return nil, err
	}
	list := []DeskAct{}
	for _, a := range slices.Backward(acts) {
		one, err := d.act(ctx, a)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// People are those whose names begin like a text, or look as if they did.
func (d *Desk) People(ctx context.Context, text string) (list []DeskPerson, more bool, err error) {
	found, more, err := d.Hall.FindPeople(ctx, beginsLike(text), mostPeople)
	list = []DeskPerson{}
	for _, p := range found {
		one, err := d.brief(ctx, p)
		if err != nil {
			return nil, false, err
		}
		list = append(list, one)
	}
	return list, more, err
}

// plainLook is what a text looks like without capitals, for comparing beginnings.
func plainLook(text string) string {
	return strings.ReplaceAll(skeleton(folded(skeleton(folded(text)))), "i", "l")
}

func beginsLike(text string) func(string) bool {
	start := plainLook(text)
	return func(name string) bool { return strings.HasPrefix(plainLook(name), start) }
}

// ErrSeveral says that more than one person is meant.
var ErrSeveral = errors.New("several people are called so: name one by @ and what stands in the first column of copse people")

// Find is the account that a text means: @ and a handle; else the member of that name;
// else the one guest who is called so.
func (d *Desk) Find(ctx context.Context, text string) (string, error) {
	if handle, ok := strings.CutPrefix(text, "@"); ok {
		return d.account(handle)
	}
	member, err := d.Hall.NameHolder(ctx, looks(text))
	if err != nil || member != "" {
		return member, err
	}
	want := plainLook(text)
	found, more, err := d.Hall.FindPeople(ctx, func(name string) bool { return plainLook(name) == want }, 2)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", store.ErrNone
	case len(found) > 1 || more: // or there may be
		return "", ErrSeveral
	}
	return found[0].Account.ID, nil
}

// Sheet is all that operators see of an account.
func (d *Desk) Sheet(ctx context.Context, account string) (DeskSheet, error) {
	p, err := d.Hall.PersonOf(ctx, account)
	if err != nil {
		return DeskSheet{}, err
	}
	s := DeskSheet{Programs: len(p.Account.Programs), Reports: []DeskReport{}, Acts: []DeskAct{}}
	if s.DeskPerson, err = d.brief(ctx, p); err != nil {
		return s, err
	}
	if s.Tables, err = d.Hall.SitsAt(ctx, p.Account, store.MostListed); err != nil {
		return s, err
	}
	networks, err := d.book().Networks(ctx, account, d.Hall.Now())
	if err != nil {
		return s, err
	}
	near := map[string]bool{}
	for _, network := range networks {
		list, err := d.book().Neighbours(ctx, network, d.Hall.Now(), store.MostListed)
		if err != nil {
			return s, err
		}
		for _, other := range list {
			near[other] = other != account
		}
	}
	delete(near, account)
	s.Networks, s.Near = len(networks), len(near)
	alias, err := d.book().AliasOf(ctx, account)
	if err != nil {
		return s, err
	}
	reports, err := d.book().ReportsAbout(ctx, alias, mostAbout)
	if err != nil {
		return s, err
	}
	for _, r := range reports {
		one, err := d.report(ctx, r)
		if err != nil {
			return s, err
		}
		one.Whom = nil // it is they
		s.Reports = append(s.Reports, one)
	}
	acts, err := d.book().ActsAbout(ctx, alias, mostAbout)
	for _, a := range acts {
		one, err := d.act(ctx, a)
		if err != nil {
			return s, err
		}
		s.Acts = append(s.Acts, one)
	}
	return s, err
}

func (d *Desk) report(ctx context.Context, r peace.Report) (DeskReport, error) {
	one := DeskReport{Number: r.Number, At: table.Time(r.At), Why: r.Why, Table: r.Table, Line: r.Line}
	var err error
	if one.By, err = d.behind(ctx, r.By); err != nil {
		return one, err
	}
	if one.Whom, err = d.behind(ctx, r.Whom); err != nil {
		return one, err
	}
	e, err := d.book().Evidence(ctx, r.Number)
	if err != nil {
		return one, err
	}
	one.Name, one.Said, one.Phrase = e.Name, e.Said, e.Phrase
	if one.Text, err = d.book().Text(ctx, r.Number); err != nil {
		return one, err
	}
	if r.Closed != nil {
		by, _, err := d.called(ctx, r.Closed.By)
		if err != nil {
			return one, err
		}
		one.Closed = &DeskClosing{At: table.Time(r.Closed.At), By: by, Note: r.Closed.Note}
	}
	return one, nil
}

// Reports are those behind a number, the oldest first: those that nobody has closed, or
// all.
func (d *Desk) Reports(ctx context.Context, all bool, after int64, most int) ([]DeskReport, error) {
	read := d.book().Open
	if all {
		read = d.book().Reports
	}
	reports, err := read(ctx, after, most)
	list := []DeskReport{}
	for _, r := range reports {
		one, err := d.report(ctx, r)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, err
}

// Report is one report with what was said around it, where it is about a table.
func (d *Desk) Report(ctx context.Context, n int64) (DeskReport, error) {
	r, err := d.book().ReportOf(ctx, n)
	if err != nil {
		return DeskReport{}, err
	}
	one, err := d.report(ctx, r)
	if err != nil || r.Table == "" {
		return one, err
	}
	at, before, after := 1<<30, 0, 0
	if r.Line != nil {
		at, before, after = *r.Line, aroundLine, aroundLine
	}
	if r.Line == nil {
		one.Around, err = d.Hall.Around(ctx, r.Table, 0, 0, at)
		one.Around = one.Around[max(len(one.Around)-lastLines, 0):]
	} else {
		one.Around, err = d.Hall.Around(ctx, r.Table, at, before, after)
	}
	if errors.Is(err, store.ErrNone) {
		err = nil
	}
	return one, err
}

// Close notes that an operator is done with a report.
func (d *Desk) Close(ctx context.Context, n int64, by, note string) error {
	return d.book().Close(ctx, n, by, note, d.Hall.Now())
}

// ownerOf is the account of the person behind one: for a program its owner's.
func ownerOf(a *hall.Account) string { return cmp.Or(a.Owner, a.ID) }

// meant is the account that something is done to. A program does nothing of its own
// will: who is muted or banned for it is its owner, and with them all their programs. A
// name alone is the program's.
func (d *Desk) meant(ctx context.Context, account, do string) (string, error) {
	if do == peace.Rename {
		return account, nil
	}
	p, err := d.Hall.PersonOf(ctx, account)
	return ownerOf(&p.Account), err
}

// Do carries out what an operator wants, for so long; 0 for no end.
func (d *Desk) Do(ctx context.Context, o peace.Order, long time.Duration) (DeskAct, error) {
	var err error
	if o.Account, err = d.meant(ctx, o.Account, o.Do); err != nil {
		return DeskAct{}, err
	}
	if long > 0 {
		o.Until = d.Hall.Now().Add(long)
	}
	act, err := d.Hall.Carry(ctx, o, looks, fourDigits)
	if err != nil {
		return DeskAct{}, err
	}
	if d.Serves {
		if err := d.Hall.KeepPeace(ctx); err != nil {
			return DeskAct{}, hall.Unsure(err)
		}
	}
	return d.act(ctx, act)
}

// fourDigits is a number of four digits that nobody can guess.
func fourDigits() int {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return 1000 + int(binary.BigEndian.Uint32(raw[:])%9000)
}
