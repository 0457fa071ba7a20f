package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// owned makes the person of seat 1 and another one programs of a third, the same in
// both worlds, or makes the person of seat 1 the owner of two programs. It gives
// those who belong together: the owner, and the two programs.
func (w *twin) owned(holds string) map[string]*client {
	ctx := context.Background()
	list := map[string]*client{}
	more := map[string]hall.More{
		"owner":   {Programs: []string{"the-program", "the-sibling"}},
		"program": {Program: true, Owner: "the-owner"},
		"sibling": {Program: true, Owner: "the-owner"},
	}
	for role, beside := range more {
		id, secret, kind := "the-"+role, "the_secret_of_the_"+role, store.Session
		list[role] = &client{world: w.world, cookie: secret}
		if beside.Program {
			secret, kind = "copse_"+secret, store.Token
			list[role] = &client{world: w.world, token: secret}
		}
		raw, err := json.Marshal(beside)
		if err != nil {
			w.Fatal(err)
		}
		p := store.Account{ID: id, Name: role, Salt: []byte(id), Born: dawn, More: raw}
		pass := store.Pass{Digest: store.DigestOf(secret), Kind: kind, Account: id, Born: dawn, Until: dawn.Add(1000 * time.Hour)}
		if err := errors.Join(w.db.AddAccount(ctx, p), w.db.Admit(ctx, pass)); err != nil {
			w.Fatal(err)
		}
	}
	w.people[1] = list[holds]
	return list
}

// TestNoSecretIsReachedFromASecondSeat: somebody who has seen a game from a seat,
// as its holder, its owner or its program, tries to see it from the seat of a bot.
// Whatever became of the first seat, and after a restart too, two worlds that
// differ in what the others hold stay alike.
func TestNoSecretIsReachedFromASecondSeat(t *testing.T) {
	t.Parallel()
	different := 0
	for n, holds := range []string{"owner", "owner", "program", "program"} {
		tw := newTwins(t, "grandbois", 3, 1, uint64(n), nil, `,"takeOver":true`)
		roles := [2]map[string]*client{tw.both[0].owned(holds), tw.both[1].owned(holds)}
		holder := table.PersonAt(tw.id, "the-"+holds, []byte("the-"+holds))
		err := tw.sitWithABot(holder)
		resigns := table.Resign{Person: holder}
		if err == nil && n%2 == 1 {
			err = tw.give(1, "/resign", [2]string{}, [2]table.Command{resigns, resigns})
		}
		if err != nil {
			t.Fatalf("the %s holds it: %v", holds, err)
		}
		if string(tw.both[0].mirror.See(2).View()) != string(tw.both[1].mirror.See(2).View()) {
			different++
		}
		if n == 0 || n == 3 {
			tw.both[0].start()
			tw.both[1].start()
		}
		for role := range roles[0] {
			tw.seen([2]*client{roles[0][role], roles[1][role]}, fmt.Sprintf("world %d: the %s held it, the %s asks", n, holds, role))
		}
	}
	if different < 3 {
		t.Errorf("only in %d of 4 pairs of worlds the bot holds something else: this proves little", different)
	}
}

// sitWithABot begins a game of a person, the holder of seat 1, and a bot.
func (tw *twins) sitWithABot(holder table.Person) error {
	for seat, person := range []table.Person{tw.both[0].person(tw, 0), holder} {
		nonce := table.Nonce{1, byte(seat)}
		body := fmt.Sprintf(`{"nonce":"%s","seat":%d}`, nonce, seat)
		cmd := table.Sit{Person: person, Seat: game.Seat(seat), Nonce: nonce}
		if err := tw.give(seat, "/sit", [2]string{body, body}, [2]table.Command{cmd, cmd}); err != nil {
			return err
		}
	}
	bot, body := table.SeatBot{Person: tw.both[0].person(tw, 0), Seat: 2, Player: "easy"}, `{"seat":2,"player":"easy"}`
	if err := tw.give(0, "/bots", [2]string{body, body}, [2]table.Command{bot, bot}); err != nil {
		return err
	}
	if err := tw.start(); err != nil {
		return err
	}
	if to := tw.both[0].mirror.ToAct(); to != 0 {
		tw.t.Fatalf("it is the turn of seat %v: a bot would play on by itself", to)
	}
	return nil
}

// seen has somebody sit down elsewhere in both worlds, and compares all that they
// can ask for, and what a stream begins with.
func (tw *twins) seen(asks [2]*client, name string) {
	tw.t.Helper()
	for i, w := range tw.both {
		w.viewer = asks[i]
	}
	for _, body := range []string{`,"seat":2`, ``} {
		body = `{"nonce":"000102030405060708090a0b0c0d0e0f"` + body + `}`
		one, two := asks[0].ask("POST", "/api/tables/"+tw.id+"/sit", body), asks[1].ask("POST", "/api/tables/"+tw.id+"/sit", body)
		if one.status < 300 || two.status < 300 {
			tw.t.Errorf("%s: they sit down by %s: %s", name, body, one.body)
		}
		if err := tw.compare("/sit", one, two); err != nil {
			tw.t.Errorf("%s: %v", name, err)
		}
	}
	asks[0].ask("POST", "/api/tables/"+tw.id+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f","seat":2}`).refuses(tw.t, 403, "table.sight")
	if err := tw.ask(); err != nil {
		tw.t.Errorf("%s: %v", name, err)
	}
	var began [2]string
	for i, c := range asks {
		began[i] = string(c.listen("table=" + tw.id).next("look").data)
	}
	if began[0] != began[1] {
		tw.t.Errorf("%s: the stream begins\n%.600s\n%.600s", name, began[0], began[1])
	}
}
