package table

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"copse/game"
)

// sided is a table of both sides at which so many people sit, and bots at the other
// seats; with the secrets of the games that follow.
func sided(tb testing.TB, set Settings, people int) (*rig, []Secret) {
	tb.Helper()
	set.Side = 1
	secrets := []Secret{{1, 2, 3}, {4, 5}, {6}, {7, 8}}[:set.Seats]
	first, keep, err := CreateSides(shelf, set, secrets, dawn)
	if err != nil {
		tb.Fatal(err)
	}
	log := [][]byte{first.Append(nil)}
	t, err := Open(shelf, keep, log)
	if err != nil {
		tb.Fatal(err)
	}
	r := &rig{TB: tb, Table: t, log: log, clk: dawn}
	for n := range people {
		r.do(Sit{Person: somebody(n), Seat: game.Seat(n), Nonce: nonce(n)})
	}
	r.do(Start{Person: somebody(0), Fill: "greedy"})
	return r, secrets[1:]
}

// there is who somebody is at the next table.
func there(p Person) Person {
	if p != (Person{}) {
		p[14]++
	}
	return p
}

// follow is the next table, where everybody still has an account but those.
func (r *rig) follow(secrets []Secret, gone ...game.Seat) *rig {
	r.Helper()
	next, err := r.tryFollow(secrets, gone...)
	if err != nil {
		r.Fatal(err)
	}
	return &rig{TB: r.TB, Table: next, log: slices.Clone(next.Log()), clk: r.clk}
}

func (r *rig) tryFollow(secrets []Secret, gone ...game.Seat) (*Table, error) {
	return r.Follow(secrets, func(seat game.Seat) Person {
		if slices.Contains(gone, seat) || r.now.chairs[seat].holder == Robot {
			return Person{}
		}
		return there(r.person(seat))
	}, nil, r.clk)
}

// finish plays the game to its end.
func (r *rig) finish(a, b uint64) {
	r.Helper()
	for rng := newRand(a, b); !r.Over(); {
		r.move(rng)
	}
}

// TestBothSides plays every game from every seat: each table verifies, the commitment
// of the first covers the others, everyone sits one seat further on with the nonce
// they brought, and chance is another.
func TestBothSides(t *testing.T) {
	eachGame(t, func(t *testing.T, name string, seats int) {
		if seats < 2 {
			return
		}
		r, secrets := sided(t, settings(name, seats), seats)
		draws := map[string]bool{}
		for side := 1; ; side++ {
			set := r.Settings()
			if set.Side != side || r.commitment != Commitment(r.keep.Secret, set.Append(nil)) {
				t.Fatalf("game %d is side %d", side, set.Side)
			}
			for seat := range seats {
				first := ((seat-side+1)%seats + seats) % seats
				if c := r.now.chairs[seat]; c.person[0] != byte(first) || c.nonce != nonce(first) {
					t.Fatalf("in game %d seat %d is held by %v with %v", side, seat, c.person, c.nonce)
				}
			}
			draw := ""
			for n := range r.Len() {
				if e := r.entry(n); e.Do == Drawn {
					draw += string(e.Move)
				}
			}
			if draw != "" && draws[draw] {
				t.Errorf("game %d begins by what chance gave before", side)
			}
			draws[draw] = true
			if r.Follows() {
				t.Fatal("the next game comes before the end of this one")
			}
			r.finish(uint64(side), 7)
			export, err := r.Export()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Verify(shelf, export); err != nil {
				t.Fatalf("game %d: %v", side, err)
			}
			if side == seats {
				break
			}
			if !r.Follows() {
				t.Fatalf("nothing follows game %d", side)
			}
			next := r.follow(secrets)
			if next.commitment != set.Following {
				t.Fatal("what follows was not committed to")
			}
			if _, _, err := r.Rematch(); keyOf(err) != "table.sides.follows" {
				t.Errorf("a rematch before the next game: %v", err)
			}
			same(t, "read again", next.Look(game.Watcher), next.again().Look(game.Watcher))
			r, secrets = next, secrets[1:]
		}
		if r.Follows() {
			t.Error("something follows the last game")
		}
		set, again, err := r.Rematch()
		if err != nil || set.Side != 1 || set.Following != (Hash{}) || again[0].Person[0] != 0 {
			t.Errorf("after all of it a rematch is side %d, %v, %v", set.Side, again, err)
		}
	})
}

// TestSidesAreSettings: a log of old has none, and no settings say half of it.
func TestSidesAreSettings(t *testing.T) {
	set, err := ReadSettings([]byte(`{"game":"bosk","seats":2,"sides":true}`))
	if err != nil || set.Side != 1 || set.Games() != 2 {
		t.Errorf("asked for is %+v, %v", set, err)
	}
	if set, err := ReadSettings([]byte(`{"game":"bosk","seats":2,"sides":false}`)); err != nil || set.Side != 0 || set.Games() != 1 {
		t.Errorf("not asked for is %+v, %v", set, err)
	}
	if _, _, err := CreateSides(shelf, set, []Secret{{1}}, dawn); err == nil {
		t.Error("one secret is enough for two games")
	}
	set.Seats = 1
	if _, _, err := CreateSides(shelf, set, []Secret{{1}}, dawn); keyOf(err) != "game.seats" {
		t.Errorf("both sides of one seat: %v", err)
	}
	set.Seats = 1 << 30
	if set.Games() > game.MaxSeats {
		t.Errorf("so many seats are %d games", set.Games())
	}
	for _, wrong := range []Settings{
		{Side: 1}, {Side: 3}, {Side: -1}, {Side: 2, Following: Hash{1}}, {Following: Hash{1}},
	} {
		set := settings("bosk", 2)
		set.Side, set.Following = wrong.Side, wrong.Following
		if _, _, err := Create(shelf, set, Secret{1}, dawn); keyOf(err) != "table.sides" {
			t.Errorf("side %d before %v: %v", set.Side, set.Following, err)
		}
	}
	alone := settings("tiny", 1)
	alone.Side = 1
	if _, _, err := CreateSides(shelf, alone, []Secret{{1}}, dawn); err == nil {
		t.Error("both sides of one seat")
	}
}

// TestOthersSecretsDoNotFollow: the game that follows was fixed before the first.
func TestOthersSecretsDoNotFollow(t *testing.T) {
	r, secrets := sided(t, settings("bosk", 2), 2)
	if _, err := r.tryFollow(secrets); err == nil {
		t.Error("it follows before the end")
	}
	r.finish(1, 1)
	for _, wrong := range [][]Secret{{{9}}, {}, append(slices.Clone(secrets), Secret{1})} {
		if _, err := r.tryFollow(wrong); err == nil {
			t.Errorf("it follows by the secrets %v", wrong)
		}
	}
}

// TestNothingFollows: whoever gives a game up gives up those that would follow.
func TestNothingFollows(t *testing.T) {
	given, _ := sided(t, settings("bosk", 2), 2)
	given.do(Resign{Person: somebody(1)})
	side, ok := given.Side()
	if given.Follows() || !ok || !slices.Equal(side.Out, []int{0, 1}) {
		t.Errorf("after a resignation comes %v, and it was %+v", given.Follows(), side)
	}
	if set, _, err := given.Rematch(); err != nil || set.Side != 1 {
		t.Errorf("a rematch is %+v, %v", set, err)
	}
	left, _ := sided(t, settings("bosk", 2), 2)
	left.do(Suggest{Person: somebody(0), For: Abandon})
	left.do(Answer{Person: somebody(1), For: Abandon, Yes: true})
	if _, ok := left.Side(); !left.Over() || left.Follows() || ok {
		t.Errorf("abandoned, it is followed: %v", left.Follows())
	}
}

// TestWhoIsInTheNextGame: bots stay bots, whoever was away is away, whoever took a
// bot's seat has it, whoever resigned has resigned, and whoever is no more is played
// for.
func TestWhoIsInTheNextGame(t *testing.T) {
	r, secrets := sided(t, settings("bosk", 4), 3)
	r.do(Sit{Person: somebody(8), Seat: 3, Nonce: nonce(8)}) // the bot's
	r.do(Resign{Person: somebody(1)})
	rng := newRand(3, 3)
	r.turn(rng)
	r.do(Leave{Person: somebody(2)})
	for !r.Over() {
		r.move(rng)
	}
	next := r.follow(secrets)
	for seat, want := range []struct {
		held   Holder
		person Person
		nonce  Nonce
	}{{Human, there(somebody(8)), Nonce{}}, {Human, there(somebody(0)), nonce(0)}, {Replaced, there(somebody(1)), nonce(1)}, {Away, there(somebody(2)), nonce(2)}} {
		if c := next.now.chairs[seat]; c.holder != want.held || c.person != want.person || c.nonce != want.nonce {
			t.Errorf("seat %d is %v, %v, %v", seat, c.holder, c.person, c.nonce)
		}
	}
	if next.Over() || next.now.chairs[0].player != "greedy" || next.now.chairs[2].out != 1 {
		t.Errorf("it begins as %+v", next.People())
	}
	next.do(Return{Person: there(somebody(2))})

	next = r.follow(secrets, 2, 3)
	for seat, player := range map[int]string{3: "level:3", 0: "greedy"} {
		if c := next.now.chairs[seat]; c.holder != Robot || c.player != player {
			t.Errorf("whoever is no more is %+v", c)
		}
	}
	if _, err := r.tryFollow(secrets, 0, 1, 2); !errors.Is(err, ErrNobody) {
		t.Errorf("without those who sat down before the first game: %v", err)
	}
	if next := r.follow(secrets, 0, 2, 3); !next.Over() || next.now.why != GivenUp {
		t.Errorf("only who has resigned is left, and it is %+v", next.People())
	}
}

// TestTheLastToResignStaysSo: the order in which people resigned goes on.
func TestTheLastToResignStaysSo(t *testing.T) {
	r, secrets := sided(t, settings("bosk", 4), 4)
	r.do(Resign{Person: somebody(3)})
	r.do(Resign{Person: somebody(0)})
	r.finish(5, 5)
	next := r.follow(secrets)
	if a, b := next.now.chairs[0].out, next.now.chairs[1].out; a != 1 || b != 2 {
		t.Errorf("the first to resign is %d, the second %d", a, b)
	}
}

// TestTogether: points are added up, then ranks; whoever resigned is behind. The page
// computes the same for games that a browser keeps, and is held to the same cases
// (web/src/table/sides.test.ts).
func TestTogether(t *testing.T) {
	if got := Together(nil); got != nil {
		t.Errorf("of no games there is %v", got)
	}
	text, err := os.ReadFile("testdata/together.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		About string
		Games []Side
		Want  []Place
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 7 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, c := range cases {
		if got := Together(c.Games); !slices.Equal(got, c.Want) {
			t.Errorf("%s: %v", c.About, got)
		}
	}
}

// TestTurnedSides: what somebody scored goes with them from seat to seat.
func TestTurnedSides(t *testing.T) {
	s := Side{[]int{5, 6, 7}, []int{3, 2, 1}, []int{0, 0, 1}}
	if one := s.Turned(1); !slices.Equal(one.Totals, []int{7, 5, 6}) || !slices.Equal(one.Ranks, []int{1, 3, 2}) || !slices.Equal(one.Out, []int{1, 0, 0}) {
		t.Errorf("one seat further on it is %+v", one)
	}
	if back := s.Turned(-4); !slices.Equal(back.Totals, []int{6, 7, 5}) {
		t.Errorf("back it is %+v", back)
	}
}
