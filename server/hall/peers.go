package hall

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"copse/news"
	"copse/store"
	"copse/table"
)

// Each node tells the others who looks on at its tables: a table at a time, as a
// whole, when that changes and once in a while. It says every second that it is
// there; of a node that says so no more nobody is there after a few seconds. A node
// that hears nobody, since its line is broken or since it stood still, keeps what it
// knows until it can hear again.
//
// The halls speak to each other on a topic of their own, which no reader reads.
const (
	peerEvery  = time.Second      // between two signs of a node
	peerTime   = 4 * time.Second  // after which a node that gives none is gone
	crowdEvery = 10               // signs, after which a node has told everything once more
	crowdTime  = 35 * time.Second // after which what was not told once more is gone
	stoodStill = 3 * time.Second  // a node that gave no sign for so long may have heard none either
	doubtTime  = 10 * time.Minute // for so long after a node has vanished it may be that it only cannot be heard
	resignTime = 2 * time.Second  // for a node that goes to say so in the store
	sawEvery   = time.Minute      // how often a node that others may not hear writes down who is there
)

// peers are the other nodes of the house, as far as they can be heard.
type peers struct {
	mu    sync.Mutex
	at    map[string]*peer // by node
	last  time.Duration    // when this node last gave a sign
	ticks int              // how many it gave
	all   bool             // everything is to be told with the next one
	told  map[string]bool  // tables that were told of since the last sign; false: they are to be told of again
	doubt time.Duration    // until when it may be that a node that has vanished only cannot be heard
	since time.Duration    // since when the others are heard without a break; they may not have told everything yet
	ever  bool             // since is known

	lag   time.Duration // how long the latest sign took that was heard since that was last asked for
	heard bool          // there was one

	passes func(account string) // who is told that passes have changed
}

// peer is another node.
type peer struct {
	heard  time.Duration // when it last gave a sign
	tables map[string]crowdThere
}

// crowdThere is who looks on at a table at another node.
type crowdThere struct {
	by     map[string]int
	hidden map[string]int
	heard  time.Duration
}

// What nodes tell each other.
type (
	nodeNews struct { // "node": it is there, "bye": it is no more
		Node string     `json:"node"`
		At   table.Time `json:"at,omitempty"` // house time when it said so
	}
	crowdNews struct { // "crowd"
		Node   string         `json:"node"`
		Table  string         `json:"table"`
		By     map[string]int `json:"by"`
		Hidden map[string]int `json:"hidden,omitempty"` // of these, who does not look
	}
	accountNews struct { // "account": it has changed or is deleted; "passes": some have ended
		Account string `json:"account"`
		Gone    bool   `json:"gone,omitempty"`
	}
)

// tellHouse tells the other nodes something; state is empty for what they must hear
// each time.
func (h *Hall) tellHouse(event, state string, data any) {
	if h.several() {
		item := eventItem(news.House(), event, data)
		item.State = state
		h.news.Publish(item)
	}
}

// hearNode hears what another node tells.
func (h *Hall) hearNode(body []byte) {
	event, data := SplitEvent(body)
	switch event {
	case "node", "bye":
		var n nodeNews
		if json.Unmarshal(data, &n) == nil && n.Node != "" && n.Node != h.node {
			h.heardOf(n.Node, event == "bye")
			h.heardLate(n.At)
		}
	case "crowd":
		var c crowdNews
		if json.Unmarshal(data, &c) == nil && c.Node != "" && c.Node != h.node && store.ValidID(c.Table) {
			h.heardCrowd(&c)
		}
	case "account":
		var a accountNews
		if json.Unmarshal(data, &a) == nil && a.Account != "" {
			h.heardAccount(a)
		}
	case "peace": // it says no more than that there is something new
		h.start(func() {
			ctx, done := context.WithTimeout(h.life, longestAppend)
			defer done()
			if err := h.heedPeace(ctx); err != nil {
				h.trouble(ctx, noPeace, err)
			}
		})
	case "blocks":
		var a accountNews
		if json.Unmarshal(data, &a) == nil && a.Account != "" {
			h.parted(a.Account)
		}
	case "passes":
		var a accountNews
		if json.Unmarshal(data, &a) == nil && a.Account != "" {
			h.passesChanged(a.Account)
		}
	}
}

// heardOf notes that a node is there, or that it goes.
func (h *Hall) heardOf(node string, bye bool) {
	now := h.clock.mono()
	h.peers.mu.Lock()
	p := h.peers.at[node]
	var changed []string
	switch {
	case bye && p != nil:
		changed = p.list()
		delete(h.peers.at, node)
	case bye:
	default:
		h.peers.meet(node).heard = now
	}
	h.peers.mu.Unlock()
	h.tellChanged(changed)
}

// heardLate notes how long a sign took, by house time, which all nodes have from the
// store.
func (h *Hall) heardLate(at table.Time) {
	if at == 0 { // of an earlier version
		return
	}
	lag := time.Duration(h.now()-at) * time.Millisecond
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	h.peers.lag, h.peers.heard = max(h.peers.lag, lag, 0), true
}

// lagged is how long news took at most since that was last asked for; less than 0
// where none was heard.
func (p *peers) lagged() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	lag := p.lag
	if !p.heard {
		lag = -1
	}
	p.lag, p.heard = 0, false
	return lag
}

// enrol says in the store that this node serves, and hears there what others know.
func (h *Hall) enrol(ctx context.Context) {
	nodes, ok := h.store.(store.Nodes)
	if !ok || !h.several() {
		return
	}
	lag := h.peers.lagged()
	saying, done := context.WithTimeout(context.WithoutCancel(ctx), choreTime)
	defer done()
	// Who stops while this is said lets it arrive: given up half-way it might be heard
	// after the farewell, and a node that is gone would seem to serve.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(resignTime, done) })()
	err := nodes.Present(saying, store.Node{ID: h.node, Version: h.version, Host: h.host, Ahead: h.Offset(), Lag: lag, Knows: h.knowledge()})
	var list []store.Node
	if err == nil {
		list, err = nodes.Nodes(saying)
	}
	if err != nil {
		h.trouble(ctx, noNode, err)
		return
	}
	h.fine(noNode)
	h.agree(list)
}

// resign says in the store that this node serves no more.
func (h *Hall) resign(ctx context.Context) {
	nodes, ok := h.store.(store.Nodes)
	if !ok || !h.several() {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), resignTime)
	defer done()
	_ = nodes.Absent(ctx, h.node) // where it cannot be said the row goes by itself
}

// meet is a node that was heard; one that was not known is to be told everything.
// The caller holds the lock.
func (p *peers) meet(node string) *peer {
	one := p.at[node]
	if one == nil {
		one = &peer{tables: map[string]crowdThere{}}
		p.at[node], p.all = one, true
	}
	return one
}

func (p *peer) list() (tables []string) {
	for id := range p.tables {
		tables = append(tables, id)
	}
	return tables
}

// heardCrowd notes who looks on at a table of another node.
func (h *Hall) heardCrowd(c *crowdNews) {
	now := h.clock.mono()
	h.peers.mu.Lock()
	p := h.peers.meet(c.Node)
	p.heard = now
	before := p.tables[c.Table].by
	if len(c.By) == 0 {
		delete(p.tables, c.Table)
	} else {
		p.tables[c.Table] = crowdThere{c.By, c.Hidden, now}
	}
	h.peers.mu.Unlock()
	if !sameCrowd(before, c.By) {
		h.tellChanged([]string{c.Table})
	}
}

func sameCrowd(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for account, n := range a {
		if b[account] != n {
			return false
		}
	}
	return true
}

// tellChanged tells those who look on here that others have come or gone elsewhere.
func (h *Hall) tellChanged(tables []string) {
	for _, id := range tables {
		if h.crowd.none(id) || !h.crowd.due(id) {
			continue
		}
		h.start(func() {
			ctx, done := context.WithTimeout(h.life, partTime)
			defer done()
			h.presentNow(ctx, id)
		})
	}
}

// everybody is who looks on at a table, at all nodes.
func (h *Hall) everybody(id string) map[string]int {
	all := h.crowd.of(id)
	if !h.several() {
		return all
	}
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	for _, p := range h.peers.at {
		for account, n := range p.tables[id].by {
			if all == nil {
				all = map[string]int{}
			}
			all[account] += max(n, 0)
		}
	}
	return all
}

// Looks tells whether somebody looks at a table, at whichever node.
func (h *Hall) Looks(id, account string) bool {
	if h.crowd.of(id)[account] > h.crowd.ofHidden(id)[account] {
		return true
	}
	if !h.several() {
		return false
	}
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	for _, p := range h.peers.at {
		if there := p.tables[id]; there.by[account] > there.hidden[account] {
			return true
		}
	}
	return false
}

// tellNodes tells the other nodes who looks on at a table: at once, or with the next
// sign where that was told a moment ago.
func (h *Hall) tellNodes(id string) {
	if !h.several() {
		return
	}
	h.peers.mu.Lock()
	if h.peers.told == nil {
		h.peers.told = map[string]bool{}
	}
	_, soon := h.peers.told[id]
	h.peers.told[id] = !soon
	h.peers.mu.Unlock()
	if !soon {
		h.tellCrowd(id)
	}
}

func (h *Hall) tellCrowd(id string) {
	by := h.crowd.of(id)
	if strings.HasPrefix(id, herePrefix) {
		by = h.here.of(id)
	}
	h.tellHouse("crowd", "crowd "+h.node+" "+id, crowdNews{h.node, id, by, h.crowd.ofHidden(id)})
}

// sign tells the other nodes that this one is there, and what they may not have
// heard; and it forgets those that are there no more.
func (h *Hall) sign() {
	if !h.several() {
		return
	}
	now, up := h.clock.mono(), h.between.Up()
	h.tellHouse("node", "node "+h.node, nodeNews{h.node, h.now()})
	p := &h.peers
	p.mu.Lock()
	still := p.ticks > 0 && now-p.last > stoodStill
	all := p.all || still
	p.last, p.all = now, false
	p.ticks++
	if !up || still || !p.ever {
		p.since, p.ever = now, true
	}
	tell := map[string]bool{}
	for id, told := range p.told {
		if !told {
			tell[id] = true
		}
	}
	p.told = nil
	tick := uint32(p.ticks % crowdEvery)
	var changed []string
	for node, one := range p.at {
		if !up || still { // nobody can be heard: what is known stays
			one.heard = now
			for id, there := range one.tables {
				there.heard = now
				one.tables[id] = there
			}
			continue
		}
		if now-one.heard > peerTime {
			changed = append(changed, one.list()...)
			delete(p.at, node)
			p.doubt = now + doubtTime
			continue
		}
		for id, there := range one.tables {
			if now-there.heard > crowdTime {
				changed = append(changed, id)
				delete(one.tables, id)
			}
		}
	}
	p.mu.Unlock()
	for _, id := range append(h.crowd.tables(), h.here.tables()...) {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(id)) // it never fails
		if all || sum.Sum32()%crowdEvery == tick {
			tell[id] = true
		}
	}
	for id := range tell {
		h.tellCrowd(id)
	}
	h.tellChanged(changed)
}

// farewell tells the other nodes that this one goes.
func (h *Hall) farewell() { h.tellHouse("bye", "node "+h.node, nodeNews{Node: h.node}) }

// lostNews is called when other nodes may have told something that did not arrive.
func (h *Hall) lostNews() {
	h.peers.mu.Lock()
	h.peers.all = true
	h.peers.mu.Unlock()
	h.people.mu.Lock()
	clear(h.people.known)
	h.people.forgot++
	h.people.mu.Unlock()
	h.parted()
	h.passesChanged("")
}

// within tells whether everybody who is at other nodes is known: their news could be
// heard for long enough without a break.
func (h *Hall) within() bool {
	if !h.several() {
		return true
	}
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	return h.peers.ever && h.between.Up() && h.clock.mono()-h.peers.since > crowdTime
}

// alone tells whether another node may not hear this one.
func (h *Hall) alone() bool {
	if !h.several() {
		return false
	}
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	return !h.between.Up() || h.clock.mono() < h.peers.doubt
}

// signs gives signs until the context ends or the hall is stopped. It asks the store
// for nothing: a node whose store hangs is there, and so are those who look on.
func (h *Hall) signs(ctx context.Context) { h.everySecond(ctx, h.sign) }

// seeks finds what news has lost, until the context ends or the hall is stopped.
func (h *Hall) seeks(ctx context.Context) { h.everySecond(ctx, func() { h.lookAround(ctx) }) }

func (h *Hall) everySecond(ctx context.Context, do func()) {
	tick := time.NewTicker(peerEvery)
	defer tick.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-h.life.Done():
			return
		case <-tick.C:
		}
	}
}

// OnPasses has the server told when passes of an account may have ended, at
// whichever node, or with an empty name when anybody's may have.
func (h *Hall) OnPasses(do func(account string)) {
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	h.peers.passes = do
}

// PassesEnded tells the servers of all nodes that passes of an account have ended.
func (h *Hall) PassesEnded(account string) {
	h.passesChanged(account)
	h.tellHouse("passes", "", accountNews{Account: account})
}

func (h *Hall) passesChanged(account string) {
	h.peers.mu.Lock()
	do := h.peers.passes
	h.peers.mu.Unlock()
	if do != nil {
		do(account)
	}
}

// sawHere writes down who looks on here, where other nodes may not hear it: nobody
// is to be taken for away at another node because news is.
func (r *room) sawHere(ctx context.Context, now time.Time) {
	if !r.hall.alone() || r.catchUp(ctx) != nil || r.gone {
		return
	}
	if now.Sub(r.noted) < sawEvery && r.notedAt == r.t.Len() { // whoever goes on writes what they know of it
		return
	}
	if err := r.sawThere(ctx); err != nil { // what another has written down stays
		r.hall.trouble(ctx, notSeen, err, "table", r.id)
		return
	}
	crowd, anybody := r.hall.crowd.of(r.id), false
	for seat, account := range r.accounts[:r.t.Settings().Seats] {
		if account != "" && crowd[account] > 0 {
			r.private.Seen[seat], anybody = table.At(now), true
		}
	}
	if !anybody || r.t.Over() {
		return
	}
	r.seating = nil
	row := r.row
	row.Private = r.seatingNow().private
	if err := r.write(ctx, row); err != nil {
		if !quicker(err) {
			r.hall.trouble(ctx, notSeen, err, "table", r.id)
		}
		return
	}
	r.noted, r.notedAt = now, r.t.Len()
}

// sawThere takes over what nodes that cannot be heard have written down.
func (r *room) sawThere(ctx context.Context) error {
	if !r.hall.several() {
		return nil
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	listing, err := r.hall.store.Table(ctx, r.id)
	if err != nil {
		return err
	}
	kept, err := readPrivate(listing.Private)
	if err != nil {
		return err
	}
	for seat, at := range kept.Seen {
		r.private.Seen[seat] = max(r.private.Seen[seat], at)
		if t := store.Time(int64(at)); t.After(r.seen[seat]) {
			r.seen[seat] = t
		}
	}
	return nil
}
