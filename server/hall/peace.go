package hall

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"copse/game"
	"copse/peace"
	"copse/store"
	"copse/table"
)

// The peace of a house: what operators have done is in force at every node. What is in
// force is held in memory, since every request asks for it, and read anew whenever the
// number of acts is another: at once where this hall wrote an act or heard of one,
// within a second otherwise, whoever wrote it.

// order is what a hall knows of the peace of its house.
type order struct {
	mu      sync.RWMutex
	state   *peace.State // nil before it was read
	reading lock         // held while it is read and what follows from it is done
	came    map[string]time.Time
}

// noPeace is what may go wrong for long.
const noPeace = "nobody knows what operators have done: bans and mutes are as they were"

// Peace is where reports and acts are kept.
func (h *Hall) Peace() peace.Book { return peace.Book{Papers: h.store} }

// inForce is what is in force. It is read where nobody has read it yet.
func (h *Hall) inForce(ctx context.Context) (*peace.State, error) {
	h.order.mu.RLock()
	state := h.order.state
	h.order.mu.RUnlock()
	if state != nil {
		return state, nil
	}
	if err := h.heedPeace(ctx); err != nil {
		return nil, err
	}
	h.order.mu.RLock()
	defer h.order.mu.RUnlock()
	return h.order.state, nil
}

// heedPeace reads what is in force where it has changed, and has those concerned know.
func (h *Hall) heedPeace(ctx context.Context) error {
	if err := h.order.reading.hold(ctx); err != nil {
		return err
	}
	defer h.order.reading.letGo()
	h.order.mu.RLock()
	before := h.order.state
	h.order.mu.RUnlock()
	n, err := h.Peace().Count(ctx)
	if err != nil || before != nil && before.Acts == n {
		return err
	}
	state, err := h.Peace().Load(ctx)
	if err != nil {
		return err
	}
	h.order.mu.Lock()
	h.order.state = state
	h.order.mu.Unlock()
	if before == nil { // nobody is here who was let in before
		return nil
	}
	return h.concerned(ctx, before)
}

// concerned has everybody looked at anew about whom there are acts since a state: their
// streams end if they are banned, and their tables are told if they have another name.
func (h *Hall) concerned(ctx context.Context, before *peace.State) error {
	for last := before.Acts; ; {
		acts, err := h.Peace().Acts(ctx, last, store.MostListed)
		if err != nil {
			return err
		}
		for _, act := range acts {
			last = act.Number
			account, err := h.Peace().Known(ctx, act.Whom)
			if err != nil {
				return err
			}
			if account == "" {
				continue
			}
			if act.Do == peace.SignOut {
				if err := h.endSessions(ctx, account, act.At); err != nil {
					h.trouble(ctx, notOut, err) // KeepPeace tries again
				}
			}
			h.forget(account)
			h.passesChanged(account)
			if a, err := h.Account(ctx, account); err == nil {
				for _, program := range a.Programs {
					h.passesChanged(program)
				}
			}
			if act.Do == peace.Rename {
				if err := h.rename(ctx, account); err != nil {
					h.trouble(ctx, "a table cannot be told that somebody has changed", err)
				}
			}
		}
		if len(acts) < store.MostListed {
			return nil
		}
	}
}

// KeepPeace is done every second: it looks whether there is something new, has those
// leave who were banned, and ends the sessions of who was signed out.
func (h *Hall) KeepPeace(ctx context.Context) error {
	if err := h.heedPeace(ctx); err != nil {
		h.trouble(ctx, noPeace, err)
		return err
	}
	h.fine(noPeace)
	h.order.mu.RLock()
	state := h.order.state
	h.order.mu.RUnlock()
	now := h.Now()
	var failed error
	for account, marks := range maps.Clone(state.Marks) {
		if ban := marks.BannedAt(now); ban != nil && !ban.Done {
			failed = errors.Join(failed, h.turnOut(ctx, account, ban)) // one who cannot be got up keeps nobody else here
		}
		if marks.Out != nil {
			failed = errors.Join(failed, h.signedOut(ctx, account, marks.Out))
		}
	}
	return failed
}

// outTime is how long after a ban somebody may still sit down at a node that has not
// heard of it.
const outTime = 10 * time.Second

// turnOut has somebody leave who is banned: a stand-in plays for them wherever a game
// goes on, seats where none has begun are free, and nobody waits for them in Play now.
// Until every node must know of the ban it is done again; what was done stays done, so
// a node that dies over it leaves it to the others.
func (h *Hall) turnOut(ctx context.Context, account string, ban *peace.Mark) error {
	a, err := h.readAccount(ctx, account)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	var failed error
	for _, id := range append([]string{account}, a.Programs...) {
		one, err := h.readAccount(ctx, id)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err == nil {
			err = h.getUp(ctx, one)
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return failed
	}
	if h.Now().Sub(time.UnixMilli(ban.Since)) < outTime {
		return nil
	}
	return h.carried(ctx, account, ban.Act)
}

// carried notes that what an act asked for is done, in the store and here.
func (h *Hall) carried(ctx context.Context, account string, act int64) error {
	if err := h.Peace().Carried(ctx, account, act); err != nil {
		return err
	}
	h.order.mu.Lock()
	defer h.order.mu.Unlock()
	m := h.order.state.Marks[account]
	switch {
	case m.Banned != nil && m.Banned.Act == act:
		done := *m.Banned
		done.Done = true
		m.Banned = &done
	case m.Out != nil && m.Out.Act == act:
		m.Out = nil
	default:
		return nil
	}
	marks := maps.Clone(h.order.state.Marks)
	marks[account] = m
	next := *h.order.state
	next.Marks = marks
	h.order.state = &next
	return nil
}

// notOut is what may go wrong for long.
const notOut = "sessions that an operator has ended are not all gone"

// signedOut ends the sessions of somebody whom an operator has signed out. Whoever wrote
// the act has done it already, unless it died over it; until every node must know of the
// act it is done again, so that no code from before it becomes a session.
func (h *Hall) signedOut(ctx context.Context, account string, out *peace.Mark) error {
	if err := h.endSessions(ctx, account, out.Since); err != nil {
		return err
	}
	if h.Now().Sub(time.UnixMilli(out.Since)) < outTime {
		return nil
	}
	return h.carried(ctx, account, out.Act)
}

// endSessions ends the sessions of somebody that are not younger than a moment, and
// every code by which they would go on elsewhere. Who has signed in since stays.
func (h *Hall) endSessions(ctx context.Context, account string, since int64) error {
	ended := false
	for _, kind := range []store.Kind{store.Link, store.Session} { // codes first: one of them may become a session meanwhile
		list, err := h.store.Passes(ctx, account, kind, h.Now())
		if err != nil {
			return err
		}
		for _, p := range list {
			if kind == store.Session && p.Born.UnixMilli() > since {
				continue
			}
			if err := h.store.Withdraw(ctx, kind, p.Digest); err != nil {
				return err
			}
			ended = true
		}
	}
	if ended {
		h.PassesEnded(account)
	}
	return nil
}

// getUp has somebody leave every table and wait for none.
func (h *Hall) getUp(ctx context.Context, a Account) error {
	if err := h.StopWaiting(ctx, a); err != nil {
		return err
	}
	list, err := h.store.Sitting(ctx, a.ID, store.MostListed)
	if err != nil {
		return err
	}
	var failed error
	for _, l := range list { // a table that cannot be read holds up no other
		failed = errors.Join(failed, h.each(ctx, []string{l.ID}, func(r *room) error { return r.letGo(ctx, a) }))
	}
	return failed
}

// letGo has somebody leave this table, if they sit there and play for themselves.
func (r *room) letGo(ctx context.Context, a Account) error {
	person := a.at(r.id)
	seat := r.t.SeatOf(person)
	if seat < 0 || r.t.Over() || r.t.People().Seats[seat].Held != table.Human {
		return nil
	}
	_, err := r.do(ctx, a, table.Leave{Person: person}, store.Once{})
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		r.hall.log.Debug("somebody who is banned is not let go", "table", r.id, "err", err)
		return nil
	}
	return err
}

// outIfBanned has somebody leave a table at which they were seated by the house, as the
// game before it ended, though they are banned by now.
func (h *Hall) outIfBanned(ctx context.Context, a Account, id string) error {
	ban, err := h.Banned(ctx, a)
	if err != nil || ban == nil {
		return err
	}
	return h.each(ctx, []string{id}, func(r *room) error { return r.letGo(ctx, a) })
}

// marks are what is in force for an account. What counts for a person counts for their
// programs.
func (h *Hall) marks(ctx context.Context, a Account) (peace.Marks, error) {
	state, err := h.inForce(ctx)
	if err != nil {
		return peace.Marks{}, err
	}
	if a.Owner != "" {
		m := state.Marks[a.Owner]
		m.Operator = false
		return m, nil
	}
	return state.Marks[a.ID], nil
}

// Banned is the mark by which somebody is banned now, or nil.
func (h *Hall) Banned(ctx context.Context, a Account) (*peace.Mark, error) {
	m, err := h.marks(ctx, a)
	return m.BannedAt(h.Now()), err
}

// Muted is the mark by which somebody is muted now, or nil.
func (h *Hall) Muted(ctx context.Context, a Account) (*peace.Mark, error) {
	m, err := h.marks(ctx, a)
	return m.MutedAt(h.Now()), err
}

// Operator tells whether somebody is an operator, and not banned.
func (h *Hall) Operator(ctx context.Context, a Account) (bool, error) {
	m, err := h.marks(ctx, a)
	return m.Operator && m.BannedAt(h.Now()) == nil, err
}

// networkKey is what networks are hashed with: of this house alone, and good for
// nothing else.
func (h *Hall) networkKey() []byte {
	key, err := hkdf.Key(sha256.New, h.key, nil, "copse peace network", 32)
	if err != nil {
		panic(err) // a length that cannot be
	}
	return key
}

// network is a network as it is kept: nobody who has no key of this house can tell
// which it is, and the same network has another hash in another house.
func (h *Hall) network(address string) string {
	mac := hmac.New(sha256.New, h.networkKey())
	mac.Write([]byte(address))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// NetworkBan says until when newcomers from a network are kept out; ok is false where
// they are not.
func (h *Hall) NetworkBan(ctx context.Context, address string) (until table.Time, ok bool, err error) {
	state, err := h.inForce(ctx)
	if err != nil || len(state.Networks) == 0 {
		return 0, false, err
	}
	ban, ok := state.Networks[h.network(address)]
	return table.Time(ban.Until), ok && h.now() < table.Time(ban.Until), nil
}

// mostCame is of how many it is remembered that it was noted from where they came.
const mostCame = 20_000

// Came notes from which network somebody comes, once a day, as a keyed hash that is
// torn up within thirty days. A store that does not write keeps nobody out.
func (h *Hall) Came(ctx context.Context, account, address string) {
	network, now := h.network(address), h.Now()
	key := network + " " + account
	h.order.mu.Lock()
	if last, ok := h.order.came[key]; ok && now.Sub(last) < 24*time.Hour {
		h.order.mu.Unlock()
		return
	}
	if h.order.came == nil || len(h.order.came) >= mostCame {
		h.order.came = map[string]time.Time{}
	}
	h.order.came[key] = now
	h.order.mu.Unlock()
	if err := h.Peace().Came(ctx, account, network, now); err != nil && !errors.Is(err, store.ErrNone) {
		h.log.Debug("it is not noted from which network somebody comes", "err", err)
	}
}

// NeutralName is what somebody is called whose name was taken away, by a number.
func NeutralName(n int) string { return fmt.Sprintf("Guest %d", n) }

// Carry carries an operator's order out: it is written down, and in force here when it
// returns and at every node within seconds. looks gives those of a name, for Rename.
func (h *Hall) Carry(ctx context.Context, o peace.Order, looks func(name string) []string, dice func() int) (act peace.Act, err error) {
	o.At = h.Now()
	if o.Do == peace.Rename {
		act, err = h.takeName(ctx, o, looks, dice)
	} else {
		act, err = h.Peace().Do(ctx, o)
	}
	if err != nil {
		return act, err
	}
	if o.Do == peace.SignOut { // all there are: another node's clock may be ahead
		if err := h.store.SignOut(ctx, o.Account, store.Session, store.Link); err != nil {
			return act, Unsure(err)
		}
		h.PassesEnded(o.Account)
	}
	h.tellHouse("peace", "peace", struct{}{})
	return act, Unsure(h.heedPeace(ctx))
}

// takeName takes somebody's name away: they get a neutral one, and nobody may have the
// old one, or one that looks like it.
func (h *Hall) takeName(ctx context.Context, o peace.Order, looks func(name string) []string, dice func() int) (act peace.Act, err error) {
	err = h.ChangeAccount(ctx, o.Account, func(a *Account) error {
		o.Looks = looks(a.Name)
		papers, made, err := h.Peace().Prepare(ctx, o)
		if err != nil {
			return err
		}
		act = made
		for range 100 {
			name := NeutralName(dice())
			holder, err := h.NameHolder(ctx, looks(name))
			if err != nil {
				return err
			}
			if holder != "" || slices.Equal(looks(name), o.Looks) {
				continue
			}
			a.Name = name
			if a.Member != 0 {
				if err := h.hold(ctx, a, looks(name)); err != nil {
					return err
				}
			}
			a.papers = append(a.papers, papers...)
			return nil
		}
		return ErrHeld
	})
	return act, err
}

// Person is somebody as operators see them.
type Person struct {
	Account Account
	Born    time.Time
}

// mostSearched is how many people are looked at for one name, members and guests each.
const mostSearched = 100_000

// FindPeople are people whose names are meant, at most so many, by name; more tells that
// there are or may be others. People are looked at one after the other, a thousand at a
// time, until there are enough: names are kept under hashes of their looks, which have no
// beginning. Members are found by the names they hold, guests among those who were here,
// the longest away first.
func (h *Hall) FindPeople(ctx context.Context, meant func(name string) bool, most int) (found []Person, more bool, err error) {
	seen := map[string]bool{} // a name may have two looks
	add := func(list []store.Account, member bool) error {
		for i := range list {
			if len(found) > most {
				return nil
			}
			if seen[list[i].ID] || !meant(list[i].Name) {
				continue
			}
			a, err := accountOf(&list[i])
			if err != nil {
				return err
			}
			if (a.Member != 0) == member {
				seen[a.ID] = true
				found = append(found, Person{a, list[i].Born})
			}
		}
		return nil
	}
	looked := 0
	for after := ""; len(found) <= most; {
		papers, err := h.store.Papers(ctx, nameKind, "", after, store.MostListed)
		if err != nil {
			return nil, false, err
		}
		var owners []string
		for _, p := range papers {
			after, owners = p.Key, append(owners, p.Owner)
		}
		slices.Sort(owners)
		list, err := h.store.Accounts(ctx, slices.Compact(owners))
		if err == nil {
			err = add(list, true)
		}
		if err != nil {
			return nil, false, err
		}
		if len(papers) < store.MostListed {
			break
		}
		if looked += len(papers); looked >= mostSearched {
			more = true
			break
		}
	}
	looked = 0
	for after := (store.Account{}); len(found) <= most; {
		some, err := h.store.Unseen(ctx, time.UnixMilli(1<<50).UTC(), after, store.MostListed)
		if err == nil {
			err = add(some, false)
		}
		if err != nil {
			return nil, false, err
		}
		if len(some) < store.MostListed {
			break
		}
		if looked += len(some); looked >= mostSearched {
			more = true
			break
		}
		after = some[len(some)-1]
	}
	slices.SortStableFunc(found, func(a, b Person) int {
		if c := strings.Compare(a.Account.Name, b.Account.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Account.ID, b.Account.ID)
	})
	if len(found) > most {
		return found[:most], true, nil
	}
	return found, more, nil
}

// PersonOf is one of them by account, as the store has them now.
func (h *Hall) PersonOf(ctx context.Context, account string) (Person, error) {
	p, err := h.store.Account(ctx, account)
	if err != nil {
		return Person{}, err
	}
	a, err := accountOf(&p)
	return Person{a, p.Born}, err
}

// Around are the lines that were said around one at a table, as an operator reads them
// who looks into a report about it. ErrNone where they are no more.
func (h *Hall) Around(ctx context.Context, id string, line, before, after int) ([]ChatLine, error) {
	from := max(line-before, 0)
	list, _, err := h.lines(ctx, id, from, nil)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(l ChatLine) bool { return l.Number > line+after }), nil
}
