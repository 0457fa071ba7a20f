package hall

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/rating"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/store/postgres"
	"copse/store/postgres/pgtest"
	"copse/table"
)

func resign(p table.Person) table.Command { return table.Resign{Person: p} }

// careerOf is somebody's career, as it is told.
func (h *testHall) careerOf(a Account) *Career {
	h.Helper()
	c, err := h.Career(h.Context(), a.ID)
	h.good(err)
	c.paper = store.Paper{}
	return c
}

// gamesOf are the tables of one list of somebody's games, the newest first, asked for
// a few at a time.
func (h *testHall) gamesOf(a Account, closed bool) (ids []string) {
	h.Helper()
	c, err := h.Career(h.Context(), a.ID)
	h.good(err)
	for before := 0; ; {
		list, next, err := h.CareerGames(h.Context(), a.ID, c, closed, before, 7)
		h.good(err)
		for _, g := range list {
			ids = append(ids, g.Table)
		}
		if next == 0 {
			return ids
		}
		before = next
	}
}

// uncounted takes somebody's career away, as if all games were older than careers.
func (h *testHall) uncounted(a Account) {
	h.Helper()
	for _, kind := range []string{careerPaper, playedPaper} {
		papers, err := h.db.Papers(h.Context(), kind, a.ID, "", store.MostListed)
		h.good(err)
		for _, p := range papers {
			p.Body = nil
			h.good(h.db.Write(h.Context(), p))
		}
	}
}

// TestWhatGamesCameTo: who won, who shared, who left, with whom, at which tables.
func TestWhatGamesCameTo(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.member("anna"), h.account("ben"), h.member("cleo")
	shut := settings("bosk", 2)
	shut.Visible = table.ByLink
	unseen := settings("bosk", 2) // listed, and nobody may look on
	unseen.Watchers = false

	whole := h.begun(settings("bosk", 3), anna, ben, cleo)
	s := h.finish(whole, anna, ben, cleo)
	gone := h.begun(settings("bosk", 2), anna, ben)
	h.do(gone, anna, resign)
	closed := h.begun(shut, ben, anna)
	h.do(closed, ben, resign)
	half := h.begun(unseen, ben, anna)
	h.do(half, ben, resign)
	none := h.begun(settings("grandbois", 2), anna, ben)
	h.do(none, anna, func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Abandon} })
	h.do(none, ben, func(p table.Person) table.Command { return table.Answer{Person: p, For: table.Abandon, Yes: true} })
	bots := h.table(settings("bosk", 2))
	h.sit(bots, anna)
	h.do(bots, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "easy"} })
	h.do(bots, anna, resign)

	rank := int(*s.Look.Standing.Seats[0].Rank)
	first := CareerRow{Game: "bosk", Seats: 3, Pace: table.Live, Played: 1, Ranks: make([]int, rank)}
	first.Ranks[rank-1] = 1
	if rank == 1 {
		first.Won = 1
	}
	want := &Career{Whole: true, Open: 4, Closed: 2, Rows: []CareerRow{
		first,
		{Game: "bosk", Seats: 2, Pace: table.Live, Played: 1, Gone: 1, Ranks: []int{}},
		{Game: "bosk", Seats: 2, Pace: table.Live, Closed: true, Played: 2, Won: 2, Ranks: []int{2}},
		{Game: "grandbois", Seats: 2, Pace: table.Live, Played: 1, None: 1, Ranks: []int{}},
		{Game: "bosk", Seats: 2, Pace: table.Live, Alone: true, Played: 1, Gone: 1, Ranks: []int{}},
	}}
	same := func(when string) {
		t.Helper()
		got := h.careerOf(anna)
		slices.SortFunc(got.Rows, func(a, b CareerRow) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		slices.SortFunc(want.Rows, func(a, b CareerRow) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s her games came to\n%+v, not\n%+v", when, got, want)
		}
		if got := h.gamesOf(anna, false); !slices.Equal(got, []string{bots, none, gone, whole}) {
			t.Errorf("%s her games are %v", when, got)
		}
		if got := h.gamesOf(anna, true); !slices.Equal(got, []string{half, closed}) {
			t.Errorf("%s her games at closed tables are %v", when, got)
		}
	}
	same("at once")

	// The same where none of it was counted when it happened, and some of it packed.
	h.good(h.db.Pack(t.Context(), whole, h.now))
	h.uncounted(anna)
	same("counted later")
	if p, err := h.db.Paper(t.Context(), careerPaper, anna.ID); err != nil || p.Version != 1 {
		t.Errorf("what was counted is kept as %+v, %v", p, err)
	}

	// A game that ends before anybody has asked is counted with the others.
	h.uncounted(anna)
	more := h.begun(settings("bosk", 2), anna, cleo)
	h.do(more, cleo, resign)
	if c, err := h.career(t.Context(), anna.ID); err != nil || c.Whole || c.paper.Version != 1 {
		t.Errorf("before it is counted there is %+v, %v", c, err)
	}
	if got := h.gamesOf(anna, false); len(got) != 5 || got[0] != more {
		t.Errorf("her games are %v", got)
	}
	again := h.begun(settings("bosk", 2), anna, cleo)
	h.do(again, cleo, resign)
	if got := h.gamesOf(anna, false); len(got) != 6 || got[0] != again {
		t.Errorf("her games are %v", got)
	}

	// Guests have one, which they keep as members; programs have none.
	if c := h.careerOf(ben); c.Open != 3 || c.Closed != 2 {
		t.Errorf("a guest's games came to %+v", c)
	}
	pruner, err := h.program(cleo.ID, "pruner")
	h.good(err)
	played := h.begun(settings("bosk", 2), pruner, ben)
	h.do(played, ben, resign)
	if papers, err := h.db.Papers(t.Context(), careerPaper, pruner.ID, "", 10); err != nil || len(papers) != 0 {
		t.Errorf("a program has %v, %v", papers, err)
	}

	// It goes with the person, and with nobody else.
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	for _, kind := range []string{careerPaper, playedPaper} {
		if papers, err := h.db.Papers(t.Context(), kind, anna.ID, "", 10); err != nil || len(papers) != 0 {
			t.Errorf("of her is left %v, %v", papers, err)
		}
	}
	if c := h.careerOf(ben); c.Open != 4 {
		t.Errorf("of his is left %+v", c)
	}
}

// TestATableThatNeverBeganIsNoGame, also where games are counted later.
func TestATableThatNeverBeganIsNoGame(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	id := h.begun(settings("bosk", 2), anna, ben)
	h.do(id, ben, resign)
	h.uncounted(anna)
	shut := h.table(settings("bosk", 2))
	h.sit(shut, anna)
	h.wait(60 * 24 * time.Hour)
	h.good(h.each(t.Context(), []string{shut}, func(r *room) error {
		_, err := r.do(t.Context(), Account{}, table.Close{}, store.Once{})
		return err
	}))
	if c := h.careerOf(anna); c.Open != 1 || c.Rows[0].None != 0 {
		t.Errorf("her games came to %+v", c)
	}
}

// TestAnEndThatIsSentAgainCountsOnce, under its key.
func TestAnEndThatIsSentAgainCountsOnce(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	id := h.begun(settings("bosk", 2), anna, ben)
	once := store.Once{Key: "the end", Asked: []byte("resign")}
	for range 3 {
		for _, hall := range []*Hall{h.Hall, h.next()} {
			_, err := hall.Do(t.Context(), id, Request{By: ben, Want: resign, Once: once})
			h.good(err)
		}
	}
	if c := h.careerOf(anna); c.Open != 1 || c.Rows[0].Played != 1 || len(h.gamesOf(anna, false)) != 1 {
		t.Errorf("it counts as %+v", c)
	}
}

// TestAGameThatEndsWhileOthersAreCounted is not passed over.
func TestAGameThatEndsWhileOthersAreCounted(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	for range 2 {
		h.do(h.begun(settings("bosk", 2), anna, ben), ben, resign)
	}
	h.uncounted(anna)
	last := h.begun(settings("bosk", 2), anna, ben)
	slow := &interrupted{Store: h.db, first: func() { h.do(last, ben, resign) }}
	late := New(Options{Store: slow, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(t), Now: func() time.Time { return h.now }})
	defer late.Stop()
	c, err := late.Career(t.Context(), anna.ID)
	h.good(err)
	if c.Open != 3 || c.Rows[0].Played != 3 || len(h.gamesOf(anna, false)) != 3 {
		t.Errorf("three games came to %+v", c)
	}
}

// interrupted is a store in which something happens just before papers are written.
type interrupted struct {
	store.Store
	first func()
}

func (b *interrupted) Write(ctx context.Context, papers ...store.Paper) error {
	if first := b.first; first != nil {
		b.first = nil
		first()
	}
	return b.Store.Write(ctx, papers...)
}

// TestALongCareer: thousands of games are listed a few at a time, none twice, and they
// are counted later just the same.
func TestALongCareer(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	const many = 3*playedAPaper + 5
	var want []string
	for n := range many {
		g := PlayedGame{Table: fmt.Sprint("t", n), At: table.Time(n), Game: "bosk", Seats: 2, Pace: table.Live, Rank: 1 + n%2}
		papers, err := h.counted(t.Context(), anna.ID, &g, false)
		h.good(err)
		h.good(h.db.Write(t.Context(), papers...))
		want = append(want, g.Table)
	}
	slices.Reverse(want)
	if got := h.gamesOf(anna, false); !slices.Equal(got, want) {
		t.Errorf("the games are %v", got)
	}
	if c := h.careerOf(anna); len(c.Rows) != 1 || c.Rows[0].Won != (many+1)/2 || c.Rows[0].Ranks[1] != many/2 {
		t.Errorf("they came to %+v", c)
	}
	c, err := h.Career(t.Context(), anna.ID)
	h.good(err)
	for _, before := range []int{0, 1, many, many + 1, 1 << 30} {
		list, _, err := h.CareerGames(t.Context(), anna.ID, c, false, before, 1)
		h.good(err)
		if end := before == 1; len(list) != 1 || (list[0].Table == "t0") != end {
			t.Errorf("before %d: %+v", before, list)
		}
	}
}

// TestACareerStaysSmall: whatever is played, it fits a paper, and every game is in it.
func TestACareerStaysSmall(t *testing.T) {
	c, rng := &Career{}, rand.New(rand.NewPCG(1, 1))
	const many = 20_000
	for range many {
		g := PlayedGame{Game: fmt.Sprint("a game with a long name ", rng.IntN(9)), Seats: 2 + rng.IntN(3), Pace: fmt.Sprint("a pace ", rng.IntN(20)), Rank: 1 + rng.IntN(4), Alone: rng.IntN(2) == 0, Gone: rng.IntN(4) == 0}
		c.add(&g, rng.IntN(2) == 0)
	}
	raw, err := json.Marshal(c)
	played := 0
	for _, r := range c.Rows {
		played += r.Played
	}
	if err != nil || len(raw) > store.LargestExtra || played != many {
		t.Errorf("%d games make %d rows of %d bytes, with %d of them: %v", many, len(c.Rows), len(raw), played, err)
	}
	// What is played at closed tables changes no row of the others.
	one, two := &Career{}, &Career{}
	for n := range mostRows + 5 {
		g := PlayedGame{Game: "bosk", Seats: 2, Pace: fmt.Sprint(n), Rank: 1}
		two.add(&PlayedGame{Game: "bosk", Seats: 3, Pace: fmt.Sprint(n), Rank: 1}, true)
		one.add(&g, false)
		two.add(&g, false)
	}
	two.Rows = slices.DeleteFunc(two.Rows, func(r CareerRow) bool { return r.Closed })
	if fmt.Sprint(one) != fmt.Sprint(two) {
		t.Error("rows of closed tables take the place of others")
	}
}

// TestAnUnreadableCareerStopsNoGame: it ends, and the operator is told.
func TestAnUnreadableCareerStopsNoGame(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	h.good(h.db.Write(t.Context(), store.Paper{Kind: careerPaper, Key: anna.ID, Owner: anna.ID, Body: []byte("{")}))
	id := h.begun(settings("bosk", 2), anna, ben)
	h.do(id, ben, resign)
	if c := h.careerOf(ben); c.Open != 1 {
		t.Errorf("his game came to %+v", c)
	}
	if _, err := h.Career(t.Context(), anna.ID); err == nil {
		t.Error("what cannot be read is served")
	}
}

// TestWhatIsShownUnreadably shows nothing.
func TestWhatIsShownUnreadably(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	h.good(h.db.Write(t.Context(), store.Paper{Kind: shownPaper, Key: anna.ID, Owner: anna.ID, Body: []byte(`{"rating":1}`)}))
	if s, err := h.Shown(t.Context(), anna.ID); err == nil || s.Anything() {
		t.Errorf("it is %+v, %v", s, err)
	}
}

// TestChoicesAtTheSameTime: of two changes of what is shown, at two nodes, neither is
// lost.
func TestChoicesAtTheSameTime(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	other := h.another()
	defer other.Stop()
	anna := h.member("anna")
	for range 20 {
		_, err := h.ChangeShown(t.Context(), anna.ID, func(s *Shown) { *s = usuallyShown() })
		h.good(err)
		var all sync.WaitGroup
		for i, change := range []func(*Shown){func(s *Shown) { s.Rating = false }, func(s *Shown) { s.Closed = true }, func(s *Shown) { s.Games = false }} {
			all.Go(func() {
				if _, err := []*Hall{h.Hall, other}[i%2].ChangeShown(context.Background(), anna.ID, change); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if s, err := h.Shown(t.Context(), anna.ID); err != nil || s != (Shown{Results: true, Closed: true}) {
			t.Fatalf("what is shown is %+v, %v", s, err)
		}
	}
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	if _, err := h.ChangeShown(t.Context(), anna.ID, func(*Shown) {}); err == nil {
		t.Error("somebody who is no more has chosen")
	}
}

// TestGamesOfOnePersonEndAtOnce, at two nodes over one PostgreSQL, rated ones among
// them: each counts once, and results are numbered without a gap.
func TestGamesOfOnePersonEndAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t, "", nil)
	key := []byte("a key of this server")
	var nodes []*Hall
	var db store.Store
	now := time.UnixMilli(1_767_859_200_000).UTC()
	for range 2 {
		s, err := postgres.Open(t.Context(), url, postgres.Options{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		hall := New(Options{Store: s, News: news.NewHub(), Games: games.All(), Key: key, Cores: 1, Random: halltest.Random(t), Now: func() time.Time { return now }})
		t.Cleanup(func() {
			hall.Stop()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		nodes, db = append(nodes, hall), s
	}
	ctx, good := t.Context(), func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	anna := Account{ID: "anna", Name: "Anna", Salt: []byte("anna"), More: More{Member: 1}}
	good(nodes[0].AddAccount(ctx, anna))
	const many = 24
	type end struct {
		id string
		by Account
	}
	var ends []end
	rated := 0
	for n := range many {
		other := Account{ID: fmt.Sprint("other", n), Name: "Ben", Salt: []byte("ben"), More: More{Member: 1}}
		good(nodes[0].AddAccount(ctx, other))
		set := settings("bosk", 2)
		id := ""
		if n%2 == 0 { // as Play now sets it
			rated++
			set.Rated, set.Undo, set.TakeOver, set.StandIn = true, table.UndoNone, false, "level:3"
			id = fmt.Sprint("rated", n)
			secret := table.Secret{byte(n + 1)}
			first, keep, err := table.Create(nodes[0].shelf, set, secret, nodes[0].now())
			good(err)
			drawn := table.DrawSeats(secret, []table.Comer{{Person: anna.at(id), Nonce: table.Nonce{1}}, {Person: other.at(id), Nonce: table.Nonce{2}}})
			made, err := table.Begin(nodes[0].shelf, keep, first, drawn, nil, nodes[0].now())
			good(err)
			r := &room{hall: nodes[0], id: id, t: made, private: private{Secret: secret, owned: true}}
			for seat, c := range drawn {
				r.accounts[seat] = other.ID
				if c.Person == anna.at(id) {
					r.accounts[seat] = anna.ID
				}
			}
			good(r.settle(ctx, nil))
		} else {
			var err error
			id, err = nodes[0].Create(ctx, set)
			good(err)
			for i, a := range []Account{anna, other} {
				_, err := nodes[0].Sit(ctx, id, a, table.Sit{Seat: game.None, Nonce: table.Nonce{1, byte(i)}}, store.Once{})
				good(err)
			}
			_, err = nodes[0].Do(ctx, id, Request{By: anna, Want: start})
			good(err)
		}
		for range 6 { // past the first round
			s, err := nodes[0].Look(ctx, id, anna)
			good(err)
			by := anna
			if *s.You != s.Look.ToAct[0] {
				by = other
			}
			p, last, err := nodes[0].Position(ctx, id, by)
			good(err)
			_, err = nodes[0].Do(ctx, id, Request{By: by, Want: play(last, p.Moves()[0])})
			good(err)
		}
		ends = append(ends, end{id, other})
	}
	var all sync.WaitGroup
	for i, e := range ends {
		all.Go(func() {
			if _, err := nodes[i%4/2].Do(context.Background(), e.id, Request{By: e.by, Want: resign}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c, err := nodes[1].Career(ctx, anna.ID)
	good(err)
	list, _, err := nodes[1].CareerGames(ctx, anna.ID, c, false, 0, 100)
	good(err)
	ids := map[string]bool{}
	for _, g := range list {
		ids[g.Table] = true
	}
	if c.Open != many || len(c.Rows) != 1 || c.Rows[0].Won != many || len(ids) != many {
		t.Errorf("%d games came to %+v, and %d are listed", many, c, len(ids))
	}
	results, err := Results(ctx, db, 0, 100)
	good(err)
	check := &rating.Checker{}
	for _, r := range results {
		for _, wrong := range check.Check(r, nil) {
			t.Errorf("result %d: %s", r.Number, wrong)
		}
	}
	if len(results) != rated {
		t.Errorf("%d rated games have ended, and there are %d results", rated, len(results))
	}
}
