package hall

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/store"
	"copse/table"
)

// board is where nodes say that they serve, for all of them.
type board struct {
	mu   sync.Mutex
	list []store.Node
	err  error
}

// boarded is a store with such a board.
type boarded struct {
	store.Store
	*board
}

func (b *board) Present(_ context.Context, n store.Node) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	n.Up = true
	b.list = append(slices.DeleteFunc(b.list, func(o store.Node) bool { return o.ID == n.ID }), n)
	return nil
}

func (b *board) Absent(_ context.Context, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(o store.Node) bool { return o.ID == id })
	return nil
}

func (b *board) Nodes(context.Context) ([]store.Node, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.list), b.err
}

// silence has all nodes be silent.
func (b *board) silence() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.list {
		b.list[i].Up = false
	}
}

// older is a game as an earlier Copse knew it: without its last version.
type older struct {
	game.Game
	bot.Thinker
}

func (o older) About() game.About {
	about := o.Game.About()
	about.Version--
	return about
}

// TestTwoVersionsOfTheRules: while a node serves that does not know the last version
// of a game, nobody sets tables of that version; when it has gone, they are.
func TestTwoVersionsOfTheRules(t *testing.T) {
	t.Parallel()
	where := &board{}
	h := newHouse(t, 0)
	serves := func(list []game.Game) *Hall {
		return h.another(func(o *Options) { o.Store, o.Games = boarded{o.Store, where}, list })
	}
	yesterday := games.All()
	for i, g := range yesterday {
		if g.About().Name == "treesociety" {
			yesterday[i] = older{g, g.(bot.Thinker)}
		}
	}
	today, before := serves(games.All()), serves(yesterday)
	newest := 0
	for _, g := range games.All() {
		if about := g.About(); about.Name == "treesociety" {
			newest = about.Version
		}
	}
	h.Hall = today
	anna := h.account("anna")
	set := func(node *Hall, chosen int) (id string, version int) {
		t.Helper()
		s := settings("treesociety", 2)
		s.Version = chosen
		id, err := node.Create(t.Context(), s)
		h.good(err)
		seen, err := today.Look(t.Context(), id, anna)
		h.good(err)
		if seen.Look.Settings.Judgement != table.NewestJudgement {
			t.Errorf("it has judgement %d", seen.Look.Settings.Judgement)
		}
		return id, seen.Look.Settings.Version
	}
	enrol := func() {
		before.enrol(t.Context())
		today.enrol(t.Context())
	}
	if _, version := set(today, 0); version != newest {
		t.Errorf("a node that knows of no other sets version %d", version)
	}
	enrol()
	for _, node := range []*Hall{today, before} {
		id, version := set(node, 0)
		if version != newest-1 {
			t.Errorf("beside a node that knows up to %d, version %d is set", newest-1, version)
		}
		if _, err := before.Look(t.Context(), id, anna); err != nil {
			t.Errorf("the other node: %v", err)
		}
	}
	chosen, version := set(today, newest)
	if version != newest {
		t.Errorf("who wants version %d gets %d", newest, version)
	}
	if _, err := before.Look(t.Context(), chosen, anna); !errors.Is(err, ErrNewer) {
		t.Errorf("a node that cannot read a table says %v", err)
	}
	where.err = errors.New("away")
	today.enrol(t.Context())
	if _, version := set(today, 0); version != newest-1 {
		t.Errorf("while nobody can be asked who serves, version %d is set", version)
	}
	where.err = nil
	where.silence()
	today.enrol(t.Context())
	if _, version := set(today, 0); version != newest {
		t.Errorf("after a node has fallen silent, version %d is set", version)
	}
	enrol()
	before.resign(t.Context())
	today.enrol(t.Context())
	if _, version := set(today, 0); version != newest {
		t.Errorf("after a node has gone, version %d is set", version)
	}
}

// TestANodeThatKnowsLess is heeded in whatever it says, and one that says nothing, or
// nonsense, holds up nobody.
func TestANodeThatKnowsLess(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	node := func(id, knows string) store.Node { return store.Node{ID: id, Up: true, Knows: []byte(knows)} }
	for _, c := range []struct {
		name  string
		nodes []store.Node
		rules int
		law   int
	}{
		{"nobody", nil, 0, table.NewestJudgement},
		{"nothing said", []store.Node{node("a", "")}, 0, table.NewestJudgement},
		{"nonsense", []store.Node{node("a", `{"rules":7`), node("b", `[]`), node("c", `null`), node("d", `{"rules":{"treesociety":0},"judgement":0}`), node("e", `{"rules":{"treesociety":-1},"judgement":-1}`)}, 0, table.NewestJudgement},
		{"later", []store.Node{node("a", `{"rules":{"treesociety":99},"judgement":99}`)}, 0, table.NewestJudgement},
		{"earlier", []store.Node{node("a", `{"rules":{"treesociety":2},"judgement":2}`), node("b", `{"rules":{"treesociety":1,"hex":1},"judgement":1}`), node("c", `{"rules":{"treesociety":2}}`)}, 1, 1},
		{"its own words", []store.Node{node(h.node, `{"rules":{"treesociety":1},"judgement":1}`)}, 0, table.NewestJudgement},
		{"silent", []store.Node{{ID: "a", Knows: []byte(`{"rules":{"treesociety":1},"judgement":1}`)}}, 0, table.NewestJudgement},
	} {
		h.agree(c.nodes)
		set := table.Settings{Game: "treesociety"}
		if h.newest(&set); set.Version != c.rules || set.Judgement != c.law {
			t.Errorf("%s: version %d and judgement %d, want %d and %d", c.name, set.Version, set.Judgement, c.rules, c.law)
		}
	}
}
