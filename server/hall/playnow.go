package hall

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"copse/bot"
	"copse/game"
	"copse/rating"
	"copse/store"
	"copse/table"
)

// Play now is papers too, so any node serves anybody, and a node that dies takes nobody
// with it. A bid is a paper of whoever waits, under their account: who presses twice,
// or on two devices, has one. A match is a paper of the house with what the table will
// be: its settings, its secret, and who comes. Match and bids are written together,
// each under the version that was read: of two nodes that match the same people one
// wins, and the other looks again. A match becomes a table by one append, which takes
// match and bids with it, as soon as everybody has said that they are there.
//
// Nobody leads: whoever is asked how it stands looks for matches.

// The kinds of papers of Play now.
const (
	bidPaper   = "waiting" // key: account
	matchPaper = "match"   // key: the table that it becomes
	waitsPaper = "waits"   // key: queue; how long it took lately
)

// bid is what is kept of somebody who waits.
type bid struct {
	Game  string     `json:"game"`
	Seats int        `json:"seats"`
	Pace  string     `json:"pace"`
	Rated bool       `json:"rated,omitempty"`
	Bots  table.Time `json:"bots"`
	Mean  float64    `json:"mean"`
	Doubt float64    `json:"doubt,omitempty"` // how far off that may be
	Since table.Time `json:"since"`
	Seen  table.Time `json:"seen"`
	Match string     `json:"match,omitempty"` // which is to be made
	Table string     `json:"table,omitempty"` // which has been made
	Out   bool       `json:"out,omitempty"`   // they did not come
	Apart bool       `json:"apart,omitempty"` // there is somebody from whom they are apart, as it was when they pressed

	Missed map[string]int `json:"missed,omitempty"` // who did not come to a match with them, and how often

	paper store.Paper
}

func (t *bid) want() Want { return Want{t.Game, t.Seats, t.Pace, t.Rated, t.Bots} }

// match is what is kept of a match.
type match struct {
	First  json.RawMessage `json:"first"`  // the first entry of the table
	Secret string          `json:"secret"` // of the table
	Level  int             `json:"level"`  // of the bots that fill up
	People []matched       `json:"people"`
	By     table.Time      `json:"by"` // until when everybody must have come

	id    string
	paper store.Paper
}

// matched is somebody in a match.
type matched struct {
	Account string `json:"account"`
	Nonce   string `json:"nonce,omitempty"` // what they bring to chance, once they have come
}

// Waiting is how it stands for somebody who wants to play now.
type Waiting struct {
	State   string      `json:"state"` // one of the states below
	Game    string      `json:"game,omitempty"`
	Seats   int         `json:"seats,omitempty"`
	Pace    string      `json:"pace,omitempty"`
	Rated   bool        `json:"rated,omitempty"`
	Since   table.Time  `json:"since,omitempty"`
	Now     table.Time  `json:"now,omitempty"`
	Bots    table.Time  `json:"bots,omitempty"`   // when bots sit down at what is empty
	People  int         `json:"people,omitempty"` // how many wait in the same queue, or come to the same match
	Usual   table.Time  `json:"usual,omitempty"`  // how long it took lately, the median; nothing where nobody has waited
	By      table.Time  `json:"by,omitempty"`     // until when everybody must have come
	Came    int         `json:"came,omitempty"`   // how many have
	You     bool        `json:"you,omitempty"`    // you have
	Promise *table.Hash `json:"commitment,omitempty"`
	Table   string      `json:"table,omitempty"`
}

// The states of somebody who wants to play now, for ever.
const (
	WaitsNot  = "none"    // they do not wait
	Waits     = "waiting" // for others
	WaitsCome = "ready"   // a match is made: they are to say that they are there
	WaitsOut  = "out"     // they did not, and wait no more
	WaitsOver = "table"   // the game has begun
)

// WaitStates are these states.
func WaitStates() []string { return []string{WaitsNot, Waits, WaitsCome, WaitsOut, WaitsOver} }

// matcher keeps a node from looking for matches all the time.
type matcher struct {
	look lock // held by whoever looks

	mu      sync.Mutex
	begun   int            // how often somebody began to look
	next    time.Time      // when it is time to look again
	waiting map[string]int // how many were left then, by queue
	crowded bool           // so much was to be read then that nobody looks before it is time
}

// mostAtOnce is how many bids and matches there may be for whoever presses the button to
// look at once. Where there are more, everybody who presses it would read all of them: the
// next look is two seconds away at most.
const mostAtOnce = 100

// due tells whether it is time to look again.
func (m *matcher) due(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !now.Before(m.next)
}

// looks is how often somebody began to look.
func (m *matcher) looks() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.begun
}

// begin notes that somebody looks.
func (m *matcher) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun++
}

// looked notes what was found, and when to look again.
func (m *matcher) looked(next time.Time, waiting map[string]int, papers int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next, m.waiting, m.crowded = next, waiting, papers > mostAtOnce
}

// isCrowded tells whether nobody looks before it is time.
func (m *matcher) isCrowded() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.crowded
}

// wait is how many wait in a queue.
func (m *matcher) wait(queue string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.waiting[queue]
}

func (t *bid) write(until time.Time) (store.Paper, error) {
	body, err := json.Marshal(t)
	p := t.paper
	p.Body, p.Until = body, until
	return p, err
}

// readBid is the bid of an account, nil where there is none.
func (h *Hall) readBid(ctx context.Context, account string) (*bid, error) {
	p, err := h.store.Paper(ctx, bidPaper, account)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return bidOf(p)
}

func bidOf(p store.Paper) (*bid, error) {
	t := &bid{paper: p}
	if err := json.Unmarshal(p.Body, t); err != nil {
		return nil, fmt.Errorf("bid %s: %w", p.Name(), err)
	}
	return t, nil
}

func (h *Hall) readMatch(ctx context.Context, id string) (*match, error) {
	p, err := h.store.Paper(ctx, matchPaper, id)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return matchOf(p)
}

func matchOf(p store.Paper) (*match, error) {
	m := &match{id: p.Key, paper: p}
	if err := json.Unmarshal(p.Body, m); err != nil {
		return nil, fmt.Errorf("match %s: %w", p.Name(), err)
	}
	return m, nil
}

// torn is a paper that is to go.
func torn(p store.Paper) store.Paper {
	p.Body, p.Until = nil, time.Time{}
	return p
}

// until is when nobody needs a paper any more that ends at a time.
func until(t table.Time) time.Time { return store.Time(int64(t)) }

// PlayPaces are the paces at which one can play now.
func PlayPaces() []string {
	return slices.DeleteFunc(slices.Clone(table.PaceNames()), func(p string) bool { return p == table.Own })
}

// checkWant is nil where there can be such a game.
func (h *Hall) checkWant(w Want) (table.Settings, error) {
	if w.Bots < 0 || w.Bots > MostBots {
		return table.Settings{}, game.Blame("json.range", game.Args{"field": "bots", "least": 0, "most": MostBots})
	}
	if w.Pace == table.Own || !slices.Contains(table.PaceNames(), w.Pace) {
		return table.Settings{}, game.Blame("table.setting", game.Args{"field": "pace", "value": w.Pace, "known": PlayPaces()})
	}
	raw, err := json.Marshal(map[string]any{"game": w.Game, "seats": w.Seats, "pace": w.Pace, "undo": table.UndoNone, "visible": table.ForAll, "takeOver": false})
	if err != nil {
		return table.Settings{}, err
	}
	set, err := table.ReadSettings(raw)
	if err != nil {
		return set, err
	}
	set.Rated = w.Rated
	h.newest(&set)
	var secret table.Secret
	first, _, err := table.Create(h.shelf, set, secret, h.now())
	if err != nil {
		return set, err
	}
	return *first.Settings, nil
}

// PlayNow lets somebody wait for others to play with. Who waits already waits for what
// they want now, from now on; who is being matched stays there.
func (h *Hall) PlayNow(ctx context.Context, by Account, w Want) (Waiting, error) {
	w.Rated = w.Rated && by.Member != 0 && h.mayRate()
	set, err := h.checkWant(w)
	if err != nil {
		return Waiting{}, err
	}
	apart, err := h.apartFrom(ctx, by.ID)
	if err != nil {
		return Waiting{}, err
	}
	own, err := h.standing(ctx, rating.Pool{Game: w.Game, Version: set.Version, Pace: w.Pace}, by.ID)
	if err != nil {
		return Waiting{}, err
	}
	for range mostTries {
		t, err := h.readBid(ctx, by.ID)
		if err != nil {
			return Waiting{}, err
		}
		if t != nil && t.Match != "" && t.Table == "" {
			break
		}
		now := h.now()
		if t == nil {
			t = &bid{paper: store.Paper{Kind: bidPaper, Key: by.ID, Owner: by.ID}}
		}
		since, missed := now, map[string]int(nil)
		if t.Since > 0 && t.Table == "" && !t.Out && together(t.want(), w) {
			since, missed = t.Since, t.Missed // another tab, or another time to wait for bots
		}
		t = &bid{Game: w.Game, Seats: w.Seats, Pace: w.Pace, Rated: w.Rated, Bots: w.Bots, Mean: own.Mean, Doubt: own.Spread, Since: since, Seen: now, Missed: missed, Apart: len(apart) > 0, paper: t.paper}
		p, err := t.write(until(now + lostBid))
		if err == nil {
			err = h.store.Write(ctx, p)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrChanged) {
			return Waiting{}, err
		}
	}
	if err := h.matchUp(ctx, true); err != nil {
		return Waiting{}, err
	}
	return h.waits(ctx, by.ID)
}

// Waits is how it stands for somebody. To ask is to say that one still waits: who does
// not ask for some seconds is not matched, and then waits no more.
func (h *Hall) Waits(ctx context.Context, by Account) (Waiting, error) {
	t, err := h.readBid(ctx, by.ID)
	if err != nil {
		return Waiting{}, err
	}
	if now := h.now(); t != nil && t.Table == "" && !t.Out && now-t.Seen >= touchEvery {
		t.Seen = now
		p, err := t.write(until(now + lostBid))
		if err == nil {
			err = h.store.Write(ctx, p)
		}
		if err != nil && !errors.Is(err, store.ErrChanged) { // or another node has matched them
			return Waiting{}, err
		}
	}
	if t != nil {
		if err := h.matchUp(ctx, false); err != nil {
			return Waiting{}, err
		}
	}
	return h.waits(ctx, by.ID)
}

// waits is how it stands, without changing anything.
func (h *Hall) waits(ctx context.Context, account string) (Waiting, error) {
	now := h.now()
	t, err := h.readBid(ctx, account)
	if err != nil || t == nil {
		return Waiting{State: WaitsNot, Now: now}, err
	}
	w := Waiting{State: Waits, Game: t.Game, Seats: t.Seats, Pace: t.Pace, Rated: t.Rated, Since: t.Since, Now: now, Bots: t.Since + t.Bots}
	switch {
	case t.Table != "":
		w.State, w.Table = WaitsOver, t.Table
		return w, nil
	case t.Out:
		w.State = WaitsOut
		return w, nil
	}
	if t.Match != "" {
		m, err := h.readMatch(ctx, t.Match)
		if err != nil || m == nil {
			return w, err
		}
		first, err := table.ReadEntry(m.First)
		if err != nil {
			return w, err
		}
		w.State, w.People, w.By, w.Promise = WaitsCome, len(m.People), m.By, &first.Commitment
		for _, p := range m.People {
			if p.Nonce != "" {
				w.Came++
				w.You = w.You || p.Account == account
			}
		}
		return w, nil
	}
	w.People = max(h.matcher.wait(queueKey(t.want())), 1)
	past, err := h.store.Paper(ctx, waitsPaper, queueKey(t.want()))
	if err != nil && !errors.Is(err, store.ErrNone) {
		return w, err
	}
	w.Usual = median(readWaits(past.Body))
	return w, nil
}

func queueKey(w Want) string {
	return w.Game + " " + strconv.Itoa(w.Seats) + " " + w.Pace + " " + strconv.FormatBool(w.Rated)
}

func readWaits(body []byte) (list []table.Time) {
	_ = json.Unmarshal(body, &list) // what cannot be read is no wait
	return list
}

func median(list []table.Time) table.Time {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return max(list[len(list)/2], 1)
}

// mostWaits is of how many waits the median is told.
const mostWaits = 20

// noteWaits remembers how long people have waited. What two nodes note at the same
// time one of them forgets.
func (h *Hall) noteWaits(ctx context.Context, queue string, took []table.Time) {
	p, err := h.store.Paper(ctx, waitsPaper, queue)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return
	}
	p.Kind, p.Key = waitsPaper, queue
	list := append(readWaits(p.Body), took...)
	p.Body, _ = json.Marshal(list[max(len(list)-mostWaits, 0):])
	_ = h.store.Write(ctx, p)
}

// bids are all that there are.
func (h *Hall) bids(ctx context.Context) (list []*bid, err error) {
	for after := ""; ; {
		some, err := h.store.Papers(ctx, bidPaper, "", after, store.MostListed)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			after = p.Key
			t, err := bidOf(p)
			if err != nil { // which keeps nobody else from playing
				h.trouble(ctx, "a bid of Play now cannot be read", err)
				continue
			}
			list = append(list, t)
		}
		if len(some) < store.MostListed {
			return list, nil
		}
	}
}

// matchUp does what is to be done in the queues: matches whose time is over are given
// up, whoever does not wait any more goes, and those who wait are matched. A node does
// it a few times a second at most, and less often where it takes long. Whoever must
// have it done at once waits for a look that begins from now on, theirs or another's,
// unless there is a crowd; nobody else waits for one.
func (h *Hall) matchUp(ctx context.Context, atOnce bool) error {
	before := h.matcher.looks()
	atOnce = atOnce && !h.matcher.isCrowded()
	if !atOnce && !h.matcher.due(h.Now()) {
		return nil
	}
	if !atOnce && !h.matcher.look.try() {
		return nil // somebody looks just now
	}
	if atOnce {
		if err := h.matcher.look.hold(ctx); err != nil { // nobody waits longer than they may
			return err
		}
	}
	defer h.matcher.look.letGo()
	if !h.matcher.due(h.Now()) && (!atOnce || h.matcher.looks() != before) { // somebody else has looked meanwhile
		return nil
	}
	h.matcher.begin()
	begun := time.Now()
	now := h.now()
	running, err := h.store.Papers(ctx, matchPaper, "", "", store.MostListed)
	if err != nil {
		return err
	}
	for _, p := range running {
		m, err := matchOf(p)
		if err == nil && m.complete() {
			err = h.make(ctx, m)
		} else if err == nil && now >= m.By {
			err = h.giveUpMatch(ctx, m, "")
		}
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil { // which keeps nobody else from playing
			h.trouble(ctx, "a match of Play now is in trouble", err, "match", p.Key)
		}
	}
	bids, err := h.bids(ctx)
	if err != nil {
		return err
	}
	by := map[string]*bid{}
	var list []waiter
	for _, t := range bids {
		switch {
		case !t.paper.Until.After(h.Now()):
			if err := h.store.Write(ctx, torn(t.paper)); err != nil && !errors.Is(err, store.ErrChanged) {
				return err
			}
		case t.Match == "" && t.Table == "" && !t.Out:
			by[t.paper.Key] = t
			w := waiter{account: t.paper.Key, Want: t.want(), mean: t.Mean, doubt: t.Doubt, since: t.Since, seen: t.Seen, missed: t.Missed}
			if t.Apart || h.apart.learned(t.paper.Key) { // most are apart from nobody, and nobody is asked for them
				if w.apart, err = h.apartFrom(ctx, t.paper.Key); err != nil {
					return err
				}
			}
			list = append(list, w)
		}
	}
	waiting := map[string]int{}
	for _, w := range list {
		if now-w.seen <= unheard {
			waiting[queueKey(w.Want)]++
		}
	}
	took := map[string][]table.Time{}
	again := matchEvery
	for i, people := range matches(now, list) {
		if i > 0 && time.Since(begun) > longestLook {
			again = 0
			break
		}
		err := h.pair(ctx, people, by)
		if errors.Is(err, store.ErrChanged) || errors.Is(err, store.ErrNone) || errors.Is(err, errApart) {
			continue // another node was quicker, somebody is no more, or somebody blocks another since they wait
		}
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			h.trouble(ctx, "people who want to play now cannot be matched", err)
			continue
		}
		queue := queueKey(people[0].Want)
		waiting[queue] -= len(people)
		for _, p := range people {
			took[queue] = append(took[queue], now-p.since)
		}
	}
	for queue, list := range took {
		h.noteWaits(ctx, queue, list)
	}
	if again > 0 {
		again = min(max(again, restFor*time.Since(begun)), longestRest)
	}
	h.matcher.looked(h.Now().Add(again), waiting, len(running)+len(bids))
	return nil
}

// errApart says that two people who were to be matched are apart: next time that is
// known.
var errApart = errors.New("hall: they are apart")

// pair makes a match of people who wait.
func (h *Hall) pair(ctx context.Context, people []waiter, by map[string]*bid) error {
	w, now := people[0].Want, h.now()
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = p.account
	}
	if apart, err := h.anyApart(ctx, ids); err != nil {
		return err
	} else if apart {
		h.apart.learn(ids)
		return errApart
	}
	set, err := h.checkWant(w)
	if err != nil {
		return err
	}
	mean := 0.0
	for _, p := range people {
		mean += p.mean / float64(len(people))
	}
	anchors := rating.For(rating.Edition, w.Game, set.Version, w.Seats)
	m := match{Level: anchors.Near(mean), By: now + readyTime}
	set.StandIn = bot.LevelName(m.Level)
	set.Box = "" // Create names it again
	var secret table.Secret
	h.random("secret of a match", secret[:])
	first, _, err := table.Create(h.shelf, set, secret, now)
	if err != nil {
		return err
	}
	m.First, m.Secret, m.id = first.Append(nil), hex.EncodeToString(secret[:]), h.NewID()
	var papers []store.Paper
	for _, p := range people {
		m.People = append(m.People, matched{Account: p.account})
		t := *by[p.account]
		t.Match = m.id
		paper, err := t.write(until(m.By + lostBid))
		if err != nil {
			return err
		}
		papers = append(papers, paper)
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return h.store.Write(ctx, append(papers, store.Paper{Kind: matchPaper, Key: m.id, Body: body, Until: until(m.By)})...)
}

// complete tells whether everybody has come.
func (m *match) complete() bool {
	return !slices.ContainsFunc(m.People, func(p matched) bool { return p.Nonce == "" })
}

// Come says that somebody is there who was matched, with what they bring to chance,
// after they have seen the commitment. The last one to come begins the game.
func (h *Hall) Come(ctx context.Context, by Account, nonce table.Nonce) (Waiting, error) {
	for range mostTries {
		t, err := h.readBid(ctx, by.ID)
		if err != nil {
			return Waiting{}, err
		}
		if t == nil || t.Match == "" || t.Table != "" || t.Out {
			break
		}
		m, err := h.readMatch(ctx, t.Match)
		if err != nil {
			return Waiting{}, err
		}
		if m == nil || h.now() >= m.By && !m.complete() {
			break
		}
		i := slices.IndexFunc(m.People, func(p matched) bool { return p.Account == by.ID })
		if i < 0 || m.People[i].Nonce != "" && !m.complete() {
			break
		}
		if m.People[i].Nonce == "" {
			m.People[i].Nonce = hex.EncodeToString(nonce[:])
			body, err := json.Marshal(m)
			if err != nil {
				return Waiting{}, err
			}
			m.paper.Body = body
			err = h.store.Write(ctx, m.paper)
			if errors.Is(err, store.ErrChanged) {
				continue
			}
			if err != nil {
				return Waiting{}, err
			}
			m.paper.Version++
		}
		if m.complete() {
			err = h.make(ctx, m)
		}
		if err != nil {
			return Waiting{}, Unsure(err)
		}
		break
	}
	return h.waits(ctx, by.ID)
}

// StopWaiting takes somebody out of the queue. Those who were matched with them wait
// on, as long as they have.
func (h *Hall) StopWaiting(ctx context.Context, by Account) error {
	for range mostTries {
		t, err := h.readBid(ctx, by.ID)
		if err != nil || t == nil {
			return err
		}
		if t.Match != "" && t.Table == "" {
			m, err := h.readMatch(ctx, t.Match)
			if err != nil {
				return err
			}
			if m != nil {
				if err := h.giveUpMatch(ctx, m, by.ID); err != nil {
					return err
				}
				continue
			}
		}
		if err := h.store.Write(ctx, torn(t.paper)); !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return nil
}

// giveUpMatch ends a match that does not become a table. Whoever has come, or had
// still time, waits on from when they began; who did not come in time is out, and so
// is who leaves.
func (h *Hall) giveUpMatch(ctx context.Context, m *match, leaves string) error {
	now := h.now()
	papers := []store.Paper{torn(m.paper)}
	for _, p := range m.People {
		t, err := h.readBid(ctx, p.Account)
		if err != nil {
			return err
		}
		if t == nil || t.Match != m.id {
			continue
		}
		t.Match = ""
		for _, other := range m.People {
			if other.Account != p.Account && (other.Account == leaves || other.Nonce == "" && now >= m.By) {
				t.miss(other.Account)
			}
		}
		end := until(now + lostBid)
		switch {
		case p.Account == leaves:
			papers = append(papers, torn(t.paper))
			continue
		case p.Nonce == "" && now >= m.By:
			t.Out = true
			end = h.Now().Add(tellOut)
		}
		paper, err := t.write(end)
		if err != nil {
			return err
		}
		papers = append(papers, paper)
	}
	if err := h.store.Write(ctx, papers...); err != nil && !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNone) {
		return err // or somebody else did something about it
	}
	return nil
}

// miss notes that somebody did not come.
func (t *bid) miss(account string) {
	if t.Missed == nil {
		t.Missed = map[string]int{}
	}
	if len(t.Missed) < mostNoted || t.Missed[account] > 0 {
		t.Missed[account]++
	}
}

// make makes the table of a match to which everybody has come: who sits where is
// drawn, and the game begins.
func (h *Hall) make(ctx context.Context, m *match) error {
	first, err := table.ReadEntry(m.First)
	if err != nil {
		return err
	}
	raw, err := hex.DecodeString(m.Secret)
	if err != nil || len(raw) != len(table.Secret{}) {
		return fmt.Errorf("the secret of match %s cannot be read", m.id)
	}
	r := &room{hall: h, id: m.id}
	r.private.Secret, r.private.owned = table.Secret(raw), true
	papers := []store.Paper{torn(m.paper)}
	var people []Account
	var comers []table.Comer
	ids := make([]string, len(m.People))
	for i, p := range m.People {
		ids[i] = p.Account
	}
	if apart, err := h.anyApart(ctx, ids); err != nil {
		return err
	} else if apart { // since they were matched
		h.apart.learn(ids)
		return h.giveUpMatch(ctx, m, "")
	}
	for _, p := range m.People {
		a, err := h.readAccount(ctx, p.Account)
		if errors.Is(err, store.ErrNone) {
			return h.giveUpMatch(ctx, m, p.Account)
		}
		if err != nil {
			return err
		}
		t, err := h.readBid(ctx, p.Account)
		if err != nil {
			return err
		}
		if t == nil || t.Match != m.id || t.Table != "" {
			return h.giveUpMatch(ctx, m, p.Account)
		}
		nonce, ok := table.ParseNonce(p.Nonce)
		if !ok {
			return fmt.Errorf("a nonce of match %s cannot be read", m.id)
		}
		t.Table = m.id
		paper, err := t.write(h.Now().Add(tellTable))
		if err != nil {
			return err
		}
		people, papers = append(people, a), append(papers, paper)
		comers = append(comers, table.Comer{Person: a.at(m.id), Nonce: nonce})
	}
	for len(comers) < first.Settings.Seats {
		comers = append(comers, table.Comer{Player: bot.LevelName(m.Level)})
	}
	drawn := table.DrawSeats(r.private.Secret, comers)
	for seat, c := range drawn {
		for _, a := range people {
			if c.Player == "" && a.at(m.id) == c.Person {
				r.accounts[seat] = a.ID
			}
		}
	}
	var deal table.Deal
	if h.deal != nil {
		deal = h.deal(m.id)
	}
	if r.t, err = table.Begin(h.shelf, table.Keep{Secret: r.private.Secret}, first, drawn, deal, h.now()); err != nil {
		return err
	}
	err = r.settle(ctx, people, papers...)
	if errors.Is(err, store.ErrPapers) {
		return nil // somebody left or another node was quicker: whoever asks next sees
	}
	return err
}
