package hall

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/games/bosk"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// TestWhoPlaysAloneMayTakeAWalk: a person who plays a live game with bots alone
// keeps the seat, however long nobody has seen them.
func TestWhoPlaysAloneMayTakeAWalk(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	h.wait(outOfReach * 3)
	h.Sweep(t.Context())
	r, err := h.enter(t.Context(), id)
	h.good(err)
	defer r.leave()
	if held := r.t.People().Seats[0].Held; held != table.Human {
		t.Errorf("the seat of the only person is held by %v", held)
	}
}

// ponderer is a bot that thinks until it is told to answer.
type ponderer struct {
	bot.Game
	asked  chan struct{} // it has begun to think
	answer chan struct{} // it may answer
}

func (p ponderer) Think(ctx context.Context, from game.Position, ask bot.Ask) (*bot.Thought, error) {
	select {
	case p.asked <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-p.answer:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return p.Game.Think(ctx, from, ask)
}

// ponders is a hall whose bots think until they are told to answer.
func ponders(t *testing.T) (*testHall, ponderer) {
	h := newTestHall(t)
	slow := ponderer{bot.Of(bosk.Game()), make(chan struct{}), make(chan struct{})}
	h.Stop()
	h.Hall = h.pondering(slow)
	return h, slow
}

func (h *testHall) pondering(slow ponderer) *Hall {
	return New(Options{Store: h.db, News: news.NewHub(), Games: []game.Game{slow}, Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(h.TB), Now: h.Hall.Now})
}

// TestABotThatIsLateIsRestarted: a server that stops while a bot thinks starts it
// again when it is back, though nobody looks at the table.
func TestABotThatIsLateIsRestarted(t *testing.T) {
	h, slow := ponders(t)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	p, last, err := h.Position(t.Context(), id, anna)
	h.good(err)
	h.do(id, anna, play(last, p.Moves()[0]))
	<-slow.asked
	h.Stop()
	h.Hall = h.pondering(slow)
	h.wait(botGrace)
	h.Tend(t.Context())
	<-slow.asked
}

// TestABotThatIsOvertakenThinksAgain: while a bot thinks, its opponent goes back
// and makes another move. What the bot has found answers a position that is gone;
// it must think about the present one, with nobody to wake it.
func TestABotThatIsOvertakenThinksAgain(t *testing.T) {
	h, slow := ponders(t)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.sit(id, anna)
	reader := h.news.Subscribe(1000)
	_, err := h.Follow(t.Context(), id, anna, reader)
	h.good(err)
	defer reader.Close()
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	move := func(n int) {
		p, last, err := h.Position(t.Context(), id, anna)
		h.good(err)
		h.do(id, anna, play(last, p.Moves()[n]))
	}
	begun, err := h.Look(t.Context(), id, anna)
	h.good(err)
	move(0)
	<-slow.asked
	h.do(id, anna, func(p table.Person) table.Command {
		return table.TakeBack{Person: p, To: begun.Look.Number}
	})
	move(1)
	slow.answer <- struct{}{} // too late: this was thought for the first move
	<-slow.asked
	slow.answer <- struct{}{}
	for {
		item, ok := reader.Take()
		if !ok {
			<-reader.Ready()
			continue
		}
		var heard struct {
			Entry struct {
				Do   string
				Seat int
			}
		}
		if item.Number == news.Unnumbered {
			continue
		}
		form, _, ok := Form(item.Body, 0)
		if !ok {
			t.Fatalf("entry %d has no form for who sits there", item.Number)
		}
		h.good(json.Unmarshal(form, &heard))
		if heard.Entry.Do == "move" && heard.Entry.Seat == 1 {
			return
		}
	}
}

// TestEverythingThatIsWrittenMakesARowDiffer: an index that differs in anything but
// the game, which never changes, is written anew; the time to wake the table is
// part of it.
func TestEverythingThatIsWrittenMakesARowDiffer(t *testing.T) {
	row := store.Row{
		Game: "bosk", Sitting: []string{"anna", ""}, Turn: 1,
		Wake: time.UnixMilli(1_000), About: []byte("about"), Private: []byte("beside"),
	}
	other := store.Row{
		Game: "bosk", Listed: true, Over: true, Sitting: []string{"anna", "ben"}, Turn: 2,
		Wake: time.UnixMilli(2_000), About: []byte("else"), Private: []byte("other"),
	}
	if !sameRow(&row, &row) {
		t.Error("a row is not the same as itself")
	}
	for i := range reflect.TypeFor[store.Row]().NumField() {
		changed := row
		name := reflect.TypeFor[store.Row]().Field(i).Name
		if reflect.ValueOf(&changed).Elem().Field(i).Set(reflect.ValueOf(other).Field(i)); name != "Game" && sameRow(&row, &changed) {
			t.Errorf("a row with another %s counts as the same", name)
		}
	}
}

// TestATableThatEverybodyLeftIsNotListed: neither by leaving, nor by being sent away or
// deleted, nor where bots sit there; whoever sits down again has it listed again. A new
// table is listed before anybody sits at it.
func TestATableThatEverybodyLeftIsNotListed(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	id := h.table(settings("bosk", 3))
	listed := func(want bool, when string) {
		t.Helper()
		for _, hall := range []*Hall{h.Hall, h.next()} {
			list, err := hall.Open(t.Context(), cleo, "bosk", 0, 10)
			if h.good(err); (len(list) == 1) != want {
				t.Errorf("%s it is listed %d times", when, len(list))
			}
		}
	}
	leave := func(p table.Person) table.Command { return table.Leave{Person: p} }
	listed(true, "before anybody sits there")
	h.sit(id, anna, ben)
	h.do(id, anna, leave)
	listed(true, "while one sits there")
	h.do(id, ben, leave)
	listed(false, "when both have left")
	if _, err := h.Look(t.Context(), id, cleo); err != nil {
		t.Errorf("by its link it is answered %v", err)
	}
	h.sit(id, ben)
	listed(true, "when one is back")
	h.bots(id, ben, 1, 2)
	h.do(id, ben, leave)
	listed(false, "with bots alone")
	h.sit(id, anna)
	listed(true, "with somebody again")
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	listed(false, "when the last is deleted")
	h.sit(id, cleo)
	h.do(id, cleo, start)
	listed(true, "when the game has begun")
	h.do(id, cleo, leave)
	listed(true, "while somebody is away from the game")
}
