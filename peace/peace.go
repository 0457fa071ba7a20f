// Package peace keeps what is needed for people to get on with each other: reports, and
// what operators do about them.
//
// Everything is papers. What operators do is written down: an act has a number, is
// never changed, and says who did what to whom, why, when and until when. It names
// nobody: people are known by aliases, and which account an alias belongs to is a paper
// of that account, so it goes with them. Likewise what a reported person said, and what
// the reporter wrote, are papers of theirs.
//
// What is in force are marks, a paper of the account for each who has any. An act and
// the marks that follow from it are written together or not at all. The number of acts
// tells every node that there is something new.
package peace

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"copse/store"
)

// The kinds of papers. They are for ever.
const (
	actKind     = "act"         // key: its number, in twelve digits
	actsKind    = "acts"        // one, under the same key: how many there are
	actedKind   = "acted"       // key: an alias and the number of an act about them
	aliasKind   = "alias"       // of an account, key: the account; its alias
	knownKind   = "known"       // of an account, key: the alias; the account
	marksKind   = "marks"       // of an account, key: the account
	barredKind  = "barred"      // key: a look of a name that nobody may have
	networkKind = "network"     // of an account, key: a network and the account
	banKind     = "network ban" // key: a network
)

// What operators do. The names are for ever.
const (
	Mute           = "mute"
	Unmute         = "unmute"
	Rename         = "rename"
	Ban            = "ban"
	Unban          = "unban"
	BanNetwork     = "ban network"
	UnbanNetwork   = "unban network"
	SignOut        = "sign out"
	MakeOperator   = "operator"
	UnmakeOperator = "no operator"
)

// Deeds are all that operators do.
func Deeds() []string {
	return []string{Mute, Unmute, Rename, Ban, Unban, BanNetwork, UnbanNetwork, SignOut, MakeOperator, UnmakeOperator}
}

// Why something is not done.
var (
	ErrNothing  = errors.New("peace: there is nothing to take back")
	ErrOperator = errors.New("peace: who asks for it is no operator any more")
	ErrNetwork  = errors.New("peace: it is not known from which network they come")
)

// LongestWhy is how many characters an operator gives as a reason at most.
const LongestWhy = 500

// Act is what an operator did.
type Act struct {
	Number int64  `json:"number"`
	At     int64  `json:"at"`             // in milliseconds, like all times here
	By     string `json:"by,omitempty"`   // the operator's alias; empty for who may use the machine
	Do     string `json:"do"`             // one of Deeds
	Whom   string `json:"whom,omitempty"` // an alias
	Why    string `json:"why"`
	Until  int64  `json:"until,omitempty"`  // nothing where it has no end
	Report int64  `json:"report,omitempty"` // because of which it was done
}

// Mark is something that is in force for somebody.
type Mark struct {
	Since int64  `json:"since"`
	Until int64  `json:"until,omitempty"` // nothing where it has no end
	Why   string `json:"why"`
	Act   int64  `json:"act"`
	Done  bool   `json:"done,omitempty"` // of a ban: they have left wherever they sat
}

// Marks are what is in force for an account.
type Marks struct {
	Muted    *Mark `json:"muted,omitempty"`
	Banned   *Mark `json:"banned,omitempty"`
	Operator bool  `json:"operator,omitempty"`
	Out      *Mark `json:"out,omitempty"` // sessions from before it end; gone once they have

	version int64
}

// force tells whether a mark is in force.
func (m *Mark) force(now time.Time) bool {
	return m != nil && (m.Until == 0 || now.UnixMilli() < m.Until)
}

// MutedAt is the mark by which somebody is muted at a time, or nil.
func (m Marks) MutedAt(now time.Time) *Mark {
	if m.Muted.force(now) {
		return m.Muted
	}
	return nil
}

// BannedAt is the mark by which somebody is banned at a time, or nil.
func (m Marks) BannedAt(now time.Time) *Mark {
	if m.Banned.force(now) {
		return m.Banned
	}
	return nil
}

func (m Marks) paper(account string) (store.Paper, error) {
	p := store.Paper{Kind: marksKind, Key: account, Owner: account, Version: m.version}
	if m.Muted == nil && m.Banned == nil && m.Out == nil && !m.Operator {
		return p, nil // torn up
	}
	raw, err := json.Marshal(m)
	p.Body = raw
	return p, err
}

func readMarks(p *store.Paper) (m Marks, err error) {
	if err = json.Unmarshal(p.Body, &m); err != nil {
		err = fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	m.version = p.Version
	return m, err
}

// NetworkBan keeps newcomers from a network out.
type NetworkBan struct {
	Until int64  `json:"until"`
	Act   int64  `json:"act"`
	Whom  string `json:"whom"` // the alias of who is meant by it
}

// NetworkTime is how long anything is kept about a network: a little less than thirty
// days, so that what is torn up an hour after its end is gone by then.
const NetworkTime = 30*24*time.Hour - 2*time.Hour

// MostNetworks is from how many networks it is known that somebody came, the last ones.
const MostNetworks = 5

// Book is where all of it is kept.
type Book struct{ Papers store.Papers }

// newAlias is a name that leads to nobody.
func newAlias() string {
	var raw [12]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// alias is the alias of an account, with the papers that give it one where it has none.
func (b Book) alias(ctx context.Context, account string) (string, []store.Paper, error) {
	p, err := b.Papers.Paper(ctx, aliasKind, account)
	switch {
	case err == nil:
		return string(p.Body), nil, nil
	case !errors.Is(err, store.ErrNone):
		return "", nil, err
	}
	made := newAlias()
	return made, []store.Paper{
		{Kind: aliasKind, Key: account, Owner: account, Body: []byte(made)},
		{Kind: knownKind, Key: made, Owner: account, Body: []byte(account)},
	}, nil
}

// AliasOf is the alias of an account; empty where it has none.
func (b Book) AliasOf(ctx context.Context, account string) (string, error) {
	p, err := b.Papers.Paper(ctx, aliasKind, account)
	if errors.Is(err, store.ErrNone) {
		return "", nil
	}
	return string(p.Body), err
}

// Known is the account that an alias belongs to; empty where it is no more.
func (b Book) Known(ctx context.Context, alias string) (account string, err error) {
	if alias == "" {
		return "", nil
	}
	p, err := b.Papers.Paper(ctx, knownKind, alias)
	if errors.Is(err, store.ErrNone) {
		return "", nil
	}
	return p.Owner, err
}

// Marks are those of an account.
func (b Book) Marks(ctx context.Context, account string) (Marks, error) {
	p, err := b.Papers.Paper(ctx, marksKind, account)
	if errors.Is(err, store.ErrNone) {
		return Marks{}, nil
	}
	if err != nil {
		return Marks{}, err
	}
	return readMarks(&p)
}

// number is a number as a key, so that keys are in the order of numbers.
func number(n int64) string { return fmt.Sprintf("%012d", n) }

// counted is how many things of a kind there are, and the paper that says so.
func (b Book) counted(ctx context.Context, kind string) (int64, store.Paper, error) {
	p, err := b.Papers.Paper(ctx, kind, kind)
	if errors.Is(err, store.ErrNone) {
		return 0, store.Paper{Kind: kind, Key: kind}, nil
	}
	if err != nil {
		return 0, p, err
	}
	n, err := strconv.ParseInt(string(p.Body), 10, 64)
	if err != nil {
		err = fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	return n, p, err
}

// numbered are the papers of a thing under the next number of its kind.
func (b Book) numbered(ctx context.Context, counter, kind string, thing any, n *int64) ([]store.Paper, error) {
	last, count, err := b.counted(ctx, counter)
	if err != nil {
		return nil, err
	}
	*n = last + 1
	raw, err := json.Marshal(thing)
	if err != nil {
		return nil, err
	}
	count.Body = strconv.AppendInt(nil, *n, 10)
	return []store.Paper{count, {Kind: kind, Key: number(*n), Body: raw}}, nil
}

// Order is what is to be done.
type Order struct {
	Do      string
	Account string    // to whom
	By      string    // by which account; empty for who may use the machine
	Why     string    // for the operator's book, and told to who is meant
	At      time.Time // now
	Until   time.Time // zero for no end
	Report  int64     // because of which
	Looks   []string  // of the name that is taken away, by Rename
}

// Prepare is what is written when an order is carried out: an act under the next
// number, and what follows from it. Whoever writes these papers and is told that one of
// them has changed prepares anew. How many acts there are is among them: so an
// operator's mark that was taken away meanwhile, at whichever node, is found missing.
func (b Book) Prepare(ctx context.Context, o Order) ([]store.Paper, Act, error) {
	act := Act{At: o.At.UnixMilli(), Do: o.Do, Why: o.Why, Report: o.Report}
	if !o.Until.IsZero() {
		act.Until = o.Until.UnixMilli()
	}
	var papers []store.Paper
	if o.By != "" {
		marks, err := b.Marks(ctx, o.By)
		if err != nil {
			return nil, act, err
		}
		if !marks.Operator || marks.BannedAt(o.At) != nil {
			return nil, act, ErrOperator
		}
		alias, more, err := b.alias(ctx, o.By)
		if err != nil {
			return nil, act, err
		}
		act.By, papers = alias, more
	}
	alias, more, err := b.alias(ctx, o.Account)
	if err != nil {
		return nil, act, err
	}
	if o.By != o.Account {
		papers = append(papers, more...)
	}
	act.Whom = alias
	written, err := b.numbered(ctx, actsKind, actKind, &act, &act.Number)
	if err != nil {
		return nil, act, err
	}
	follows, err := b.follows(ctx, o, &act)
	if err != nil {
		return nil, act, err
	}
	if written[1].Body, err = json.Marshal(act); err != nil { // which may end sooner than was asked
		return nil, act, err
	}
	papers = append(papers, written...)
	papers = append(papers, store.Paper{Kind: actedKind, Key: alias + " " + number(act.Number), Body: []byte("1")})
	return append(papers, follows...), act, nil
}

// follows are the papers of what is in force after an act.
func (b Book) follows(ctx context.Context, o Order, act *Act) ([]store.Paper, error) {
	switch o.Do {
	case Rename:
		var papers []store.Paper
		for _, look := range o.Looks {
			p, err := b.Papers.Paper(ctx, barredKind, look)
			if err != nil && !errors.Is(err, store.ErrNone) {
				return nil, err
			}
			papers = append(papers, store.Paper{Kind: barredKind, Key: look, Body: strconv.AppendInt(nil, act.Number, 10), Version: p.Version})
		}
		return papers, nil
	case BanNetwork:
		return b.banNetworks(ctx, o, act)
	case UnbanNetwork:
		return b.unbanNetworks(ctx, act)
	}
	marks, err := b.Marks(ctx, o.Account)
	if err != nil {
		return nil, err
	}
	mark := &Mark{Since: act.At, Until: act.Until, Why: act.Why, Act: act.Number}
	switch o.Do {
	case Mute:
		marks.Muted = mark
	case Unmute:
		if marks.MutedAt(o.At) == nil {
			return nil, ErrNothing
		}
		marks.Muted = nil
	case Ban:
		marks.Banned = mark
	case Unban:
		if marks.BannedAt(o.At) == nil {
			return nil, ErrNothing
		}
		marks.Banned = nil
	case SignOut:
		marks.Out = mark
	case MakeOperator:
		marks.Operator = true
	case UnmakeOperator:
		if !marks.Operator {
			return nil, ErrNothing
		}
		marks.Operator = false
	default:
		return nil, fmt.Errorf("peace: nobody does %q", o.Do)
	}
	p, err := marks.paper(o.Account)
	return []store.Paper{p}, err
}

func (b Book) banNetworks(ctx context.Context, o Order, act *Act) ([]store.Paper, error) {
	most := o.At.Add(NetworkTime)
	if o.Until.IsZero() || o.Until.After(most) {
		act.Until = most.UnixMilli()
	}
	networks, err := b.Networks(ctx, o.Account, o.At)
	if err != nil {
		return nil, err
	}
	if len(networks) == 0 {
		return nil, ErrNetwork
	}
	raw, err := json.Marshal(NetworkBan{Until: act.Until, Act: act.Number, Whom: act.Whom})
	if err != nil {
		return nil, err
	}
	var papers []store.Paper
	for _, network := range networks {
		p, err := b.Papers.Paper(ctx, banKind, network)
		if err != nil && !errors.Is(err, store.ErrNone) {
			return nil, err
		}
		papers = append(papers, store.Paper{Kind: banKind, Key: network, Body: raw, Until: time.UnixMilli(act.Until).UTC(), Version: p.Version})
	}
	return papers, nil
}

func (b Book) unbanNetworks(ctx context.Context, act *Act) ([]store.Paper, error) {
	var papers []store.Paper
	err := b.each(ctx, banKind, func(p store.Paper) error {
		var ban NetworkBan
		if err := json.Unmarshal(p.Body, &ban); err != nil {
			return fmt.Errorf("paper %s: %w", p.Name(), err)
		}
		if ban.Whom == act.Whom && len(papers) < MostNetworks {
			p.Body = nil
			papers = append(papers, p)
		}
		return nil
	})
	if err == nil && len(papers) == 0 {
		err = ErrNothing
	}
	return papers, err
}

// each visits all papers of a kind.
func (b Book) each(ctx context.Context, kind string, visit func(store.Paper) error) error {
	for after := ""; ; {
		some, err := b.Papers.Papers(ctx, kind, "", after, store.MostListed)
		if err != nil {
			return err
		}
		for _, p := range some {
			if err := visit(p); err != nil {
				return err
			}
			after = p.Key
		}
		if len(some) < store.MostListed {
			return nil
		}
	}
}

// tries is how often something is prepared anew since others have changed what it
// follows from.
const tries = 50

// write prepares papers and writes them, anew where others were quicker.
func (b Book) write(ctx context.Context, prepare func() ([]store.Paper, error)) error {
	var err error
	for range tries {
		var papers []store.Paper
		if papers, err = prepare(); err != nil || len(papers) == 0 {
			return err
		}
		if err = b.Papers.Write(ctx, papers...); !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return err
}

// Do carries an order out that changes papers alone: every one but Rename, which
// changes an account. store.ErrNone says that there is no such account any more.
func (b Book) Do(ctx context.Context, o Order) (act Act, err error) {
	err = b.write(ctx, func() (papers []store.Paper, err error) {
		papers, act, err = b.Prepare(ctx, o)
		return papers, err
	})
	return act, err
}

// Carried notes that an act is carried out: who was banned by it has left wherever they
// sat, or the sessions of who was signed out by it have ended.
func (b Book) Carried(ctx context.Context, account string, act int64) error {
	return b.write(ctx, func() ([]store.Paper, error) {
		marks, err := b.Marks(ctx, account)
		switch {
		case err != nil:
			return nil, err
		case marks.Banned != nil && marks.Banned.Act == act && !marks.Banned.Done:
			marks.Banned.Done = true
		case marks.Out != nil && marks.Out.Act == act:
			marks.Out = nil
		default:
			return nil, nil
		}
		p, err := marks.paper(account)
		return []store.Paper{p}, err
	})
}

// Barred tells whether a name of these looks was taken away from somebody, so that
// nobody may have it.
func (b Book) Barred(ctx context.Context, looks []string) (bool, error) {
	for _, look := range looks {
		_, err := b.Papers.Paper(ctx, barredKind, look)
		if !errors.Is(err, store.ErrNone) {
			return err == nil, err
		}
	}
	return false, nil
}

// Came notes from which network an account came, as a keyed hash of it, for as long as
// such things are kept. Of too many the oldest goes.
func (b Book) Came(ctx context.Context, account, network string, now time.Time) error {
	return b.write(ctx, func() ([]store.Paper, error) {
		p, err := b.Papers.Paper(ctx, networkKind, network+" "+account)
		if errors.Is(err, store.ErrNone) {
			p = store.Paper{Kind: networkKind, Key: network + " " + account, Owner: account, Body: []byte("1")}
		} else if err != nil {
			return nil, err
		}
		until := now.Add(NetworkTime).Truncate(time.Hour)
		if p.Version > 0 && until.Sub(p.Until) < 24*time.Hour {
			return nil, nil
		}
		p.Until = until
		papers := []store.Paper{p}
		if p.Version == 0 {
			had, err := b.Papers.Papers(ctx, networkKind, account, "", store.MostPapers)
			if err != nil {
				return nil, err
			}
			slices.SortStableFunc(had, func(a, b store.Paper) int { return a.Until.Compare(b.Until) })
			for _, old := range had[:max(len(had)-MostNetworks+1, 0)] {
				old.Body = nil
				papers = append(papers, old)
			}
		}
		return papers, nil
	})
}

// Networks are the networks from which it is known that an account came, as keyed
// hashes.
func (b Book) Networks(ctx context.Context, account string, now time.Time) ([]string, error) {
	list, err := b.Papers.Papers(ctx, networkKind, account, "", MostNetworks)
	var networks []string
	for _, p := range list {
		if network, _, ok := strings.Cut(p.Key, " "); ok && p.Until.After(now) {
			networks = append(networks, network)
		}
	}
	return networks, err
}

// Neighbours are the accounts that came from a network, at most so many.
func (b Book) Neighbours(ctx context.Context, network string, now time.Time, most int) ([]string, error) {
	list, err := b.Papers.Papers(ctx, networkKind, "", network+" ", most)
	var accounts []string
	for _, p := range list {
		account, ours := strings.CutPrefix(p.Key, network+" ")
		if !ours {
			break
		}
		if p.Until.After(now) {
			accounts = append(accounts, account)
		}
	}
	return accounts, err
}

// State is all that is in force.
type State struct {
	Acts     int64 // how many acts there are
	Marks    map[string]Marks
	Networks map[string]NetworkBan
}

// Count is how many acts there are: where it is another, something new is in force.
func (b Book) Count(ctx context.Context) (int64, error) {
	n, _, err := b.counted(ctx, actsKind)
	return n, err
}

// Load reads all that is in force.
func (b Book) Load(ctx context.Context) (*State, error) {
	s := &State{Marks: map[string]Marks{}, Networks: map[string]NetworkBan{}}
	var err error
	if s.Acts, err = b.Count(ctx); err != nil { // first: what is written meanwhile is read again
		return nil, err
	}
	if err := b.each(ctx, marksKind, func(p store.Paper) error {
		m, err := readMarks(&p)
		s.Marks[p.Key] = m
		return err
	}); err != nil {
		return nil, err
	}
	return s, b.each(ctx, banKind, func(p store.Paper) error {
		var ban NetworkBan
		if err := json.Unmarshal(p.Body, &ban); err != nil {
			return fmt.Errorf("paper %s: %w", p.Name(), err)
		}
		s.Networks[p.Key] = ban
		return nil
	})
}

// Act is one act, or store.ErrNone.
func (b Book) Act(ctx context.Context, n int64) (Act, error) {
	p, err := b.Papers.Paper(ctx, actKind, number(n))
	if err != nil {
		return Act{}, err
	}
	return readAct(&p)
}

func readAct(p *store.Paper) (a Act, err error) {
	if err = json.Unmarshal(p.Body, &a); err == nil && number(a.Number) != p.Key {
		err = fmt.Errorf("it calls itself number %d", a.Number)
	}
	if err != nil {
		err = fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	return a, err
}

// Acts are all acts behind a number, at most so many.
func (b Book) Acts(ctx context.Context, after int64, most int) ([]Act, error) {
	papers, err := b.Papers.Papers(ctx, actKind, "", number(after), most)
	list := []Act{}
	for i := range papers {
		a, err := readAct(&papers[i])
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, err
}

// ActsAbout are the acts about an alias, the oldest first, at most so many.
func (b Book) ActsAbout(ctx context.Context, alias string, most int) ([]Act, error) {
	list := []Act{}
	numbers, err := b.under(ctx, actedKind, alias, most)
	for _, n := range numbers {
		a, err := b.Act(ctx, n)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, err
}

// under are the numbers that a kind of papers has under an alias.
func (b Book) under(ctx context.Context, kind, alias string, most int) ([]int64, error) {
	if alias == "" {
		return nil, nil
	}
	papers, err := b.Papers.Papers(ctx, kind, "", alias+" ", most)
	var numbers []int64
	for _, p := range papers {
		digits, ours := strings.CutPrefix(p.Key, alias+" ")
		if !ours {
			break
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("paper %s: %w", p.Name(), err)
		}
		numbers = append(numbers, n)
	}
	return numbers, err
}
