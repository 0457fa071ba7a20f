package hall

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"copse/store"
	"copse/table"
)

// Who is here is who has a stream open, at whichever node. The nodes tell each other so
// in the way in which they tell who looks on at a table: people are divided into parts
// by their accounts, and each part is told like the crowd of one table.

// herePrefix begins the names of these parts; no table is called so: IDs have no capital
// letters.
const herePrefix = "HERE"

// hereParts is into how many parts people are divided.
const hereParts = 256

// herePart is the part that an account belongs to.
func herePart(account string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(account)) // it never fails
	return herePrefix + strconv.Itoa(int(sum.Sum32()%hereParts))
}

// Arrive notes that a person has a stream, and gives what notes that it has ended.
// Programs are not here.
func (h *Hall) Arrive(by Account) (leave func()) {
	if by.ID == "" || by.Program {
		return func() {}
	}
	part := herePart(by.ID)
	h.here.join(part, by, 0, 0)
	h.tellNodes(part)
	return func() {
		h.here.part(part, by)
		h.tellNodes(part)
	}
}

// IsHere tells whether somebody has a stream open, at whichever node.
func (h *Hall) IsHere(account string) bool {
	part := herePart(account)
	if h.here.of(part)[account] > 0 {
		return true
	}
	if !h.several() {
		return false
	}
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	for _, p := range h.peers.at {
		if p.tables[part].by[account] > 0 {
			return true
		}
	}
	return false
}

// countHere is how many people are here, each once.
func (h *Hall) countHere() int {
	h.here.mu.Lock()
	n := 0
	for _, part := range h.here.at {
		n += len(part.by)
	}
	h.here.mu.Unlock()
	if !h.several() {
		return n
	}
	h.peers.mu.Lock()
	elsewhere := map[string]bool{}
	for _, p := range h.peers.at {
		for part, there := range p.tables {
			if strings.HasPrefix(part, herePrefix) {
				for account := range there.by {
					elsewhere[account] = true
				}
			}
		}
	}
	h.peers.mu.Unlock()
	for account := range elsewhere {
		if h.here.of(herePart(account))[account] == 0 {
			n++
		}
	}
	return n
}

// House is how lively it is here.
type House struct {
	People  int      `json:"people"`          // who are here, each once
	Open    int      `json:"open"`            // open tables at which somebody can sit down
	Playing int      `json:"playing"`         // open tables at which a game goes on
	Watch   *Summary `json:"watch,omitempty"` // the liveliest open game
	Lookers int      `json:"lookers"`         // who look on there
}

// How the liveliest game is found. A game is lively where people play, lately and before
// others: two points for each person who sits at it and is here, one for each who looks
// on, one for each entry of the last minute, the latter two up to ten. One at which
// nobody is here, or nothing has happened for two minutes, is not lively at all. A node
// looks at the newest thousand open tables every few seconds at most, when somebody asks.
const (
	liveEvery  = 5 * time.Second
	liveWithin = 2 * table.Time(60_000)
	liveSpan   = 60 * time.Second
	liveKept   = 20 // of the liveliest, so that there is one left for whoever is apart from somebody
	mostPoints = 10
)

// lively is what a node found when it last looked for the liveliest game.
type lively struct {
	look lock // held by whoever looks

	mu       sync.Mutex
	at       time.Time
	open     int
	playing  int
	best     []store.Listing
	lookers  map[string]int
	entries  map[string]pastEntries // by table, of the last minute
	read     map[string]readRow     // by table, what their rows said: most say the same the next time
	countAt  time.Time
	people   int
	hasCount bool
}

// pastEntries is how many entries a table had, and when.
type pastEntries struct {
	at   time.Time
	next int
}

// readRow is what the row of a table says of how lively it is, and the row it was read
// from.
type readRow struct {
	about  string
	phase  string
	free   bool // a seat is empty
	shown  bool // anybody may look on
	broken bool // whoever asks for it is told
}

// readRowOf reads a row, where it does not say what it said before.
func readRowOf(about []byte, before readRow) readRow {
	if string(about) == before.about && before.about != "" {
		return before
	}
	var a struct {
		Phase string `json:"phase"`
		Seats []struct {
			Held string `json:"held"`
		} `json:"seats"`
		Settings struct {
			Watchers bool `json:"watchers"`
		} `json:"settings"`
	}
	row := readRow{about: string(about)}
	if err := json.Unmarshal(about, &a); err != nil {
		row.broken = true
		return row
	}
	row.phase, row.shown = a.Phase, a.Settings.Watchers
	for _, s := range a.Seats {
		row.free = row.free || s.Held == table.Nobody.String()
	}
	return row
}

// House is how lively it is here, as somebody may see it.
func (h *Hall) House(ctx context.Context, by Account) (House, error) {
	if err := h.liveliest(ctx); err != nil {
		return House{}, err
	}
	apart, err := h.apartOf(ctx, by)
	if err != nil {
		return House{}, err
	}
	l := &h.lively
	l.mu.Lock()
	now := h.Now()
	if !l.hasCount || now.Sub(l.countAt) >= time.Second || now.Before(l.countAt) {
		l.mu.Unlock()
		n := h.countHere()
		l.mu.Lock()
		l.people, l.countAt, l.hasCount = n, now, true
	}
	house := House{People: l.people, Open: l.open, Playing: l.playing}
	best, lookers := l.best, l.lookers
	l.mu.Unlock()
	for i := range best {
		if by.ID != "" && slices.Contains(best[i].Sitting, by.ID) {
			continue
		}
		ok, err := h.meets(ctx, apart, best[i].Sitting)
		if err != nil {
			return house, err
		}
		if !ok {
			continue
		}
		s, err := h.summary(ctx, &best[i], nil, by.ID)
		if err != nil {
			return house, err
		}
		house.Watch, house.Lookers = &s, lookers[best[i].ID]
		break
	}
	return house, nil
}

// liveliest looks for the liveliest games, where that was not done lately. Whoever asks
// while another looks gets what was found before, unless nothing was.
func (h *Hall) liveliest(ctx context.Context) error {
	l := &h.lively
	fresh := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		age := h.Now().Sub(l.at)
		return !l.at.IsZero() && age >= 0 && age < liveEvery
	}
	if fresh() {
		return nil
	}
	if err := l.look.hold(ctx); err != nil {
		return err
	}
	defer l.look.letGo()
	if fresh() {
		return nil
	}
	list, err := h.store.Listed(ctx, "", 0, store.MostListed)
	if err != nil {
		return err
	}
	type found struct {
		store.Listing
		points int
	}
	now, open, playing := h.Now(), 0, 0
	var best []found
	lookers, entries, read := map[string]int{}, map[string]pastEntries{}, make(map[string]readRow, len(list))
	l.mu.Lock()
	before, readBefore := l.entries, l.read
	l.mu.Unlock()
	for i := range list {
		a := readRowOf(list[i].About, readBefore[list[i].ID])
		read[list[i].ID] = a
		if a.broken {
			continue
		}
		switch a.phase {
		case "lobby":
			if a.free {
				open++
			}
			continue
		case "play":
			playing++
		default:
			continue
		}
		id := list[i].ID
		past, known := before[id]
		if !known || now.Sub(past.at) > liveSpan {
			past = pastEntries{now, list[i].Next}
			if known { // as far as is known it went on like this
				past = pastEntries{now.Add(-liveSpan / 2), max(before[id].next, list[i].Next-mostPoints)}
			}
		}
		entries[id] = past
		if !a.shown || table.At(now)-table.Time(store.Milli(list[i].Changed)) > liveWithin {
			continue
		}
		crowd := h.everybody(id)
		points := 0
		for _, account := range list[i].Sitting {
			if account != "" && crowd[account] > 0 {
				points += 2
				delete(crowd, account)
			}
		}
		if points == 0 {
			continue
		}
		for _, n := range crowd {
			lookers[id] += n
		}
		points += min(lookers[id], mostPoints) + min(max(list[i].Next-past.next, 0), mostPoints)
		best = append(best, found{list[i], points})
	}
	slices.SortStableFunc(best, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.points, a.points), b.Changed.Compare(a.Changed))
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at, l.open, l.playing, l.lookers, l.entries, l.read, l.best = now, open, playing, lookers, entries, read, nil
	for _, f := range best[:min(len(best), liveKept)] {
		l.best = append(l.best, f.Listing)
	}
	return nil
}
