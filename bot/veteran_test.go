package bot_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// TestGamesRememberWhatTheySaid holds what every game tells the veteran to what it said
// on the day on which that was frozen, in whole games that are played as it plans: all
// worths to the last bit, every plan, belief and narrowing. The stored choices of the
// veteran are few, and do not show every small change; these numbers do. They are
// never written again; see bot.ReferenceVersion.
func TestGamesRememberWhatTheySaid(t *testing.T) {
	const version = 5 // of Tree Society, on that day
	for seats, want := range map[int][3]string{
		2: {"e96157ce8fac184f", "5d0413660c3b50fc", "94f0210e934c92a0"},
		3: {"7175fdb8a67e360f", "eda5be30773aeaae", "16f2a183e12ed7cc"},
		4: {"c359636c22c2dff9", "322404a637ea5ee2", "3c396acba86be4c8"},
	} {
		for i, got := range [3]string{
			remembered(t, bosk.New(seats, bosk.DefaultBox())),
			remembered(t, grandbois.New(seats, grandbois.DefaultBox(), false)),
			remembered(t, treesociety.NewVersion(seats, treesociety.BoxOf(version), treesociety.UsualOptions(), version)),
		} {
			if got != want[i] {
				t.Errorf("%d seats, game %d: what it tells the veteran comes to %s, and always came to %s", seats, i, got, want[i])
			}
		}
	}
}

// remembered is a hash of all that a game tells the veteran in some games.
func remembered[S, M comparable](t *testing.T, rules game.Playable[S, M]) string {
	t.Helper()
	old := rules.(game.Remembering).Veteran()
	valuer, planner := old.(game.Valuer[S]), old.(game.Planner[S, M])
	foreseer, _ := old.(game.Foreseer[S])
	believer, _ := old.(game.Believer[S, M])
	narrower, _ := old.(game.Narrower[S, M])
	confluent, _ := old.(game.Confluent[M])
	h := fnv.New64a()
	number := func(x uint64) { h.Write(binary.BigEndian.AppendUint64(nil, x)) }
	for k := range uint64(3) {
		rng := rand.New(rand.NewPCG(k, 16))
		first := rules.Start()
		s, rec := first, game.Begin(rules, &first, 0)
		var turn []M
		for n := uint64(0); rules.ToAct(&s) != game.None; n++ {
			seat := rules.ToAct(&s)
			moves := rules.Moves(&s, seat, nil)
			if seat == game.Chance {
				moves = []M{game.Outcome(rules, &s, moves, rand.NewPCG(k, n))}
			} else {
				for of := range game.Seat(rules.Seats()) {
					number(math.Float64bits(valuer.Worth(&s, of)))
				}
				number(uint64(planner.Pace(&s)))
				if foreseer != nil && foreseer.Enough(&first, &s) {
					number(n)
				}
				if believer != nil && n%8 == 0 {
					_, odds := believer.Believe(&rec, nil, nil)
					for _, o := range odds {
						number(math.Float64bits(o))
					}
				}
				if narrower != nil {
					number(uint64(len(narrower.Narrow(&s, seat, moves))))
				}
				moves = planner.Plan(&s, seat, rng, nil)
			}
			for _, m := range moves {
				h.Write(rules.AppendMove(nil, m))
				turn = append(turn, m)
				if confluent != nil && confluent.Idle(turn) {
					number(n)
				}
				before := s
				rules.Play(&s, seat, m, nil)
				rec.Hear(rules, &before, &s, seat, m)
				if rules.Turn(&s) != rules.Turn(&before) {
					turn = turn[:0]
				}
			}
		}
		for of := range game.Seat(rules.Seats()) {
			number(math.Float64bits(valuer.Worth(&s, of)))
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// TestTheVeteranIsChangedInTwoWaysAlone: by its budget and its margin, as long as they
// are numbers; nothing else of it, and nobody meets it at a table.
func TestTheVeteranIsChangedInTwoWaysAlone(t *testing.T) {
	for player, known := range map[string]bool{
		"veteran": true, "veteran/budget=60": true, "veteran/margin=0.05": true, "veteran/margin=0/budget=4": true,
		"veteran/": false, "veteran/budget": false, "veteran/budget=x": false, "veteran/far=6": false, "veteran/turns=10": false,
		"veteran/budget=60/former=1": false, "veteran:5": false, "Veteran": false,
	} {
		if err := bot.Known(player); (err == nil) != known {
			t.Errorf("%s: %v", player, err)
		}
		if known && !bot.Boundless(player) {
			t.Errorf("%s may be set at a table", player)
		}
	}
}
