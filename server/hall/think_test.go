package hall

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// slowly is a game whose players think until they are let go.
type slowly struct {
	game.Game
	began chan string   // the player, when it begins to think
	go_   chan struct{} // lets one of them find a move
}

func (s slowly) Think(ctx context.Context, p game.Position, ask bot.Ask) (*bot.Thought, error) {
	select {
	case s.began <- ask.Player:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-s.go_:
		return &bot.Thought{Line: p.Moves()[:1]}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// slowHall is a hall with one core and players that think until they are let go.
func slowHall(t *testing.T) (*testHall, slowly) {
	h := newTestHall(t)
	s := slowly{Game: games.All()[0], began: make(chan string), go_: make(chan struct{})}
	h.Hall = New(Options{Store: h.db, News: h.news, Games: []game.Game{s}, Key: h.key, Cores: 1, Random: halltest.Random(t), Now: h.Now})
	return h, s
}

// against begins a table at which somebody plays against a bot that moves first.
func (h *testHall) against(by Account, player string) string {
	h.Helper()
	set := settings("bosk", 2)
	set.Pace = table.Days
	id := h.table(set)
	_, err := h.Sit(h.Context(), id, by, table.Sit{Seat: 1, Nonce: table.Nonce{1}}, store.Once{})
	h.good(err)
	h.do(id, by, func(p table.Person) table.Command { return table.Start{Person: p, Fill: player} })
	return id
}

// from is somebody who asks from a network.
func (h *testHall) from(network, name string) Account {
	a := h.account(name)
	a.Network = network
	return a
}

// TestManyTablesOfOneGuestMakeNobodyWait: one guest has 26 tables with the
// strongest bots, on a single core; the weak bot of another begins at once, and the
// strong bot of a third as soon as anybody is done.
func TestManyTablesOfOneGuestMakeNobodyWait(t *testing.T) {
	t.Parallel()
	h, bots := slowHall(t)
	greedy, quiet, third := h.from("10.0.0.0/24", "greedy"), h.from("10.0.1.0/24", "quiet"), h.from("10.0.2.0/24", "third")
	for range 26 {
		h.against(greedy, "level:10")
	}
	if began := <-bots.began; began != "level:10" || h.Waiting() != 25 {
		t.Fatalf("%s thinks, and %d wait", began, h.Waiting())
	}
	h.against(quiet, "level:1")
	if began := <-bots.began; began != "level:1" {
		t.Fatalf("%s begins before it", began)
	}
	h.against(third, "level:9")
	h.against(third, "level:2") // the place for cheap ones is taken
	if h.Waiting() != 27 {
		t.Fatalf("%d wait", h.Waiting())
	}
	var next []string
	for !slices.Contains(next, "level:9") { // as they find their moves
		select {
		case bots.go_ <- struct{}{}:
		case began := <-bots.began:
			next = append(next, began)
		}
	}
	if slices.Contains(next, "level:10") {
		t.Errorf("%v begin, and the bot of who has one table waited on", next)
	}
	h.Stop()
}

// TestWhoPays: the host of a table by the network from which they last asked, the
// owner of a program, and nobody for a person who is deleted.
func TestWhoPays(t *testing.T) {
	h := newTestHall(t)
	anna, ben := h.from("10.0.0.0/24", "anna"), h.from("10.0.1.0/24", "ben")
	robot := Account{ID: "id-robot", Name: "robot", Salt: []byte("salt"), More: More{Program: true, Owner: anna.ID}}
	h.good(h.AddAccount(t.Context(), robot))
	id, other := h.table(settings("bosk", 3)), h.table(settings("bosk", 2))
	pays := func(id, network, person string) {
		t.Helper()
		r, err := h.enter(t.Context(), id)
		h.good(err)
		defer r.leave()
		if n, p := r.payer(); n != network || p != person {
			t.Errorf("%q of %q pays, not %q of %q", p, n, person, network)
		}
	}
	pays(id, "", "")
	h.sit(id, ben, anna)
	pays(id, "10.0.1.0/24", ben.ID)
	ben.Network = "10.0.7.0/24"
	_, err := h.Look(t.Context(), other, ben)
	h.good(err)
	pays(id, "10.0.7.0/24", ben.ID)
	h.good(h.ChangeAccount(t.Context(), ben.ID, func(a *Account) error { a.Name = "benno"; return nil }))
	pays(id, "10.0.7.0/24", ben.ID)
	h.do(id, ben, func(p table.Person) table.Command { return table.Leave{Person: p} })
	pays(id, "10.0.0.0/24", anna.ID)

	robot.Network = "10.0.3.0/24"
	h.sit(other, robot)
	pays(other, "10.0.3.0/24", anna.ID)
	h.good(h.DeleteAccount(t.Context(), robot.ID))
	if n, p := h.people.payer(robot.ID); n != "" || p != robot.ID {
		t.Errorf("it is remembered from where somebody asked who is no more: %s %s", n, p)
	}
	later := h.another() // where nobody has asked for anything yet
	defer later.Stop()
	if n, p := later.people.payer(anna.ID); n != "" || p != anna.ID {
		t.Errorf("%q of %q pays", p, n)
	}
}

// TestFromHowManyNetworksSoever: 200 guests from 20 networks have the strongest
// bots think all the time, on two cores. A person who was quiet gets a cheap
// thought at once, and a dear one before any network has had two more turns.
func TestFromHowManyNetworksSoever(t *testing.T) {
	h := &Hall{}
	h.life, h.end = context.WithCancel(t.Context())
	h.minds.cores = 2
	type mind struct{ who, table string }
	began, done := make(chan mind), map[string]chan struct{}{}
	add := func(who, table, player string) {
		n := ask(who, table, player)
		over := make(chan struct{})
		done[table] = over
		n.think = func() func() {
			began <- mind{who, table}
			<-over
			return func() {}
		}
		if !h.minds.add(h, n) {
			t.Fatal("nobody thinks any more")
		}
	}
	serial := 0
	guest := func(i int) {
		serial++
		add(fmt.Sprintf("%d/%d", i%20, i), fmt.Sprintf("t%d", serial), "level:10")
	}
	for i := range 200 {
		guest(i)
	}
	thinking := []mind{<-began, <-began}
	turns := map[string]int{}
	for round := range 300 { // each guest comes back with the next move
		first := thinking[0]
		thinking = thinking[1:]
		close(done[first.table])
		next := <-began
		thinking = append(thinking, next)
		network, _, _ := strings.Cut(next.who, "/")
		turns[network]++
		_, person, _ := strings.Cut(first.who, "/")
		i, err := strconv.Atoi(person)
		if err != nil {
			t.Fatal(err)
		}
		guest(i)
		if round%50 != 0 {
			continue
		}
		quick := fmt.Sprintf("quick%d", round)
		add("quiet/1", quick, "level:1")
		if m := <-began; m.table != quick {
			t.Fatalf("%v begins before the cheap one of somebody quiet", m)
		}
		close(done[quick])
		strong := fmt.Sprintf("strong%d", round)
		add(fmt.Sprintf("quiet%d/1", round), strong, "level:10")
		for before := map[string]int{}; ; {
			close(done[thinking[0].table])
			thinking[0] = <-began
			if thinking[0].table == strong {
				break
			}
			network, _, _ := strings.Cut(thinking[0].who, "/")
			if before[network]++; before[network] > 1 {
				t.Fatalf("%s has two turns before the dear one of somebody quiet", network)
			}
		}
		thinking[0].who = "20/0"
	}
	for network, n := range turns {
		if n < 10 || n > 60 {
			t.Errorf("network %s had %d turns", network, n)
		}
	}
	if len(turns) < 20 || h.Waiting() < 100 {
		t.Errorf("%d networks had turns, %d wait", len(turns), h.Waiting())
	}
	h.end()
	for _, m := range thinking {
		close(done[m.table])
	}
	go func() { // who is asked to go lets nobody begin
		for range began {
			t.Error("one begins after the end")
		}
	}()
	h.work.Wait()
	close(began)
	if h.minds.add(h, ask("a/1", "late", "level:1")) {
		t.Error("one is added after the end")
	}
}

// TestATableThatIsOpenedAgainThinksOnce: it has only one thought that waits.
func TestATableThatIsOpenedAgainThinksOnce(t *testing.T) {
	h, bots := slowHall(t)
	anna := h.from("10.0.0.0/24", "anna")
	h.against(anna, "level:10")
	<-bots.began
	id := h.against(anna, "level:10")
	for range 3 {
		r, err := h.enter(t.Context(), id)
		h.good(err)
		r.discard()
		r.leave()
	}
	_, err := h.Look(t.Context(), id, anna)
	h.good(err)
	if h.Waiting() != 1 {
		t.Errorf("%d thoughts wait for one table", h.Waiting())
	}
	h.Stop()
}

// TestTroubleIsNoReasonForAnyMove: a bot whose move cannot be written makes the
// same move when it is asked again.
func TestTroubleIsNoReasonForAnyMove(t *testing.T) {
	h, bots := slowHall(t)
	anna := h.from("10.0.0.0/24", "anna")
	id := h.against(anna, "level:1")
	<-bots.began
	broken := &counts{fails: fails{Store: h.db, err: store.ErrUnwritten}, tried: make(chan struct{}, 10)}
	r, err := h.enter(t.Context(), id)
	h.good(err)
	h.store = broken
	r.leave()
	bots.go_ <- struct{}{}
	<-broken.tried
	r, err = h.enter(t.Context(), id) // when the bot has left
	h.good(err)
	r.leave()
	if n := len(broken.tried); n > 0 {
		t.Errorf("what could not be written was tried %d times more", n)
	}
	h.Stop()
}

// counts is a store whose appends fail and are told.
type counts struct {
	fails
	tried chan struct{}
}

func (c *counts) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	c.tried <- struct{}{}
	return c.fails.Append(ctx, a)
}
