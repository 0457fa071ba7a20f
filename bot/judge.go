package bot

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"

	"copse/game"
	"copse/game/sums"
)

// Foretold is how a judge believes that a game will end for a seat.
type Foretold struct {
	Lead float64 // over the best other
	Win  float64 // the share of the win
}

// Judge foretells how a game ends for everyone, from a position in which nothing is
// hidden. The same numbers give the same answer.
type Judge[S any] func(s *S, numbers uint64, out *[game.MaxSeats]Foretold)

// The judges by their names.
const (
	JudgeWorth     = "worth"     // what the game says that a position is worth
	JudgeNet       = "net"       // the net that fits
	judgesNet      = "net:"      // the same after some turns by plans, as levels do; the number of playouts follows
	judgesBoth     = "both:"     // the mean of those two
	judgesCareful  = "careful:"  // the same and, near the end, games that are played on by a level
	judgesPlayouts = "playouts:" // games that are played on by its plans; their number follows
)

// JudgeOf is the judge of a name; a *game.Fault says which there are.
func JudgeOf[S, M comparable](rules game.Playable[S, M], name string) (Judge[S], error) {
	before, digits, numbered := strings.Cut(name, ":")
	n, err := strconv.Atoi(digits)
	numbered = numbered && err == nil && n >= 1 && n <= mostPlayouts && strconv.Itoa(n) == digits
	before += ":"
	j := netFor(rules, false)
	switch {
	case name == JudgeWorth:
		return judgeByWorth(rules), nil
	case j == nil && (name == JudgeNet || numbered && (before == judgesNet || before == judgesBoth || before == judgesCareful)):
		return nil, noNet(name)
	case name == JudgeNet:
		return judgeByNet(rules, j), nil
	case numbered && before == judgesBoth:
		return judgeByBoth(rules, n, j), nil
	case numbered && before == judgesCareful:
		return judgeByCare(rules, n, judgeByBoth(rules, n, j)), nil
	case numbered && before == judgesNet:
		return judgeByPlayouts(rules, n, j), nil
	case numbered && before == judgesPlayouts:
		return judgeByPlayouts(rules, n, nil), nil
	}
	return nil, game.Blame("bot.judge", game.Args{"judge": name, "known": []string{JudgeWorth, JudgeNet, judgesNet + "N", judgesBoth + "N", judgesCareful + "N", judgesPlayouts + "N"}})
}

// judging is a mind that thinks for nobody.
func judging[S, M comparable](rules game.Playable[S, M]) *mind[S, M] {
	s := rules.Start()
	return newMind(context.Background(), rules, game.Begin(rules, &s, 0), "")
}

// judgeByWorth foretells by the worth of a position, as players do who stop there.
func judgeByWorth[S, M comparable](rules game.Playable[S, M]) Judge[S] {
	m := judging(rules)
	return func(s *S, _ uint64, out *[game.MaxSeats]Foretold) {
		for seat := range game.Seat(rules.Seats()) {
			worth := m.valuer.Worth(s, seat)
			out[seat] = Foretold{worth, chance(worth)}
		}
	}
}

// chance is the chance to win of whoever expects such a lead.
func chance(worth float64) float64 { return 1 / (1 + sums.Exp(-perPoint*worth)) }

// judgeByNet foretells by what a net says of a position.
func judgeByNet[S, M comparable](rules game.Playable[S, M], j *netJudge[S]) Judge[S] {
	return func(s *S, _ uint64, out *[game.MaxSeats]Foretold) {
		for seat := range game.Seat(rules.Seats()) {
			out[seat] = j.foretell(s, seat)
		}
	}
}

// judgeByBoth foretells what a net and playouts that it judges say on average. What they are
// wrong about differs, so together they know more than either.
func judgeByBoth[S, M comparable](rules game.Playable[S, M], playouts int, j *netJudge[S]) Judge[S] {
	net, playedOn := judgeByNet(rules, j), judgeByPlayouts(rules, playouts, j)
	return func(s *S, numbers uint64, out *[game.MaxSeats]Foretold) {
		var too [game.MaxSeats]Foretold
		net(s, numbers, out)
		playedOn(s, numbers, &too)
		average(out, &too, 1)
	}
}

// average makes of what one judge says the mean of that and what another says, which counts so
// many times as much.
func average(one, other *[game.MaxSeats]Foretold, times float64) {
	for seat, f := range other {
		one[seat] = Foretold{(one[seat].Lead + float64(times*f.Lead)) / (1 + times), (one[seat].Win + float64(times*f.Win)) / (1 + times)}
	}
}

// Near the end what counts is which squares, places and cards somebody takes at last. Quick
// turns only guess that; careful is a level that looks for its turn in a millisecond or two.
const (
	careful    = 4
	byCare     = 2 // what games that it plays on count, where the judge before them counts 1
	careRounds = 3 // before the end it begins
)

// judgeByCare foretells as another judge does until the end is near. From then on games that
// a level plays on, for everyone by what that seat sees, count twice as much as that.
func judgeByCare[S, M comparable](rules game.Playable[S, M], n int, guess Judge[S]) Judge[S] {
	var moves []M
	return func(s *S, numbers uint64, out *[game.MaxSeats]Foretold) {
		guess(s, numbers, out)
		left := *s
		for last := rules.Turn(s) + careRounds*rules.Seats(); rules.ToAct(&left) != game.None; {
			if rules.Turn(&left) >= last {
				return
			}
			moves = rules.Moves(&left, rules.ToAct(&left), moves[:0])
			rules.Play(&left, rules.ToAct(&left), moves[0], nil)
		}
		var played [game.MaxSeats]Foretold
		for k := range n {
			st := endByLevel(rules, *s, careful, strconv.FormatUint(numbers, 10)+" "+strconv.Itoa(k))
			for seat := range game.Seat(rules.Seats()) {
				r := prize(&st, rules.Seats(), seat, 0)
				of := whole * float64(n)
				played[seat].Lead += float64(r.margin) / of
				played[seat].Win += float64(r.wins) / of
			}
		}
		average(out, &played, byCare)
	}
}

// endByLevel is how a game ends if a level plays it on for everyone. The same seed gives the
// same end.
func endByLevel[S, M comparable](rules game.Playable[S, M], s S, level int, seed string) game.Standing {
	effort := efforts()[level-1]
	luck := rand.New(numbers(seed, rules.Turn(&s)))
	var outcomes []M
	for {
		seat := rules.ToAct(&s)
		switch seat {
		case game.None:
			return rules.Standing(&s)
		case game.Chance:
			outcomes = rules.Moves(&s, seat, outcomes[:0])
			rules.Play(&s, seat, game.Outcome(rules, &s, outcomes, luck), nil)
			continue
		}
		turn := rules.Turn(&s)
		found := search(newMind(context.Background(), rules, game.Begin(rules, &s, seat), seed), &effort)
		for _, move := range found[0].moves() {
			if rules.ToAct(&s) != seat || rules.Turn(&s) != turn {
				break // what was thought of beyond the turn is dropped
			}
			rules.Play(&s, seat, move, nil)
		}
	}
}

// judgeByPlayouts foretells by games that are played on to the end or, where there is one,
// to where a net judges them, as a search does.
func judgeByPlayouts[S, M comparable](rules game.Playable[S, M], n int, net *netJudge[S]) Judge[S] {
	x := newSearcher(judging(rules), &effort{ends: true})
	turns := 0
	if x.net = net; net != nil {
		turns = net.features.Reach()
	}
	return func(s *S, numbers uint64, out *[game.MaxSeats]Foretold) {
		var all [game.MaxSeats]result
		for k := range uint64(n) {
			x.pcg.Seed(numbers, k)
			x.luck = rand.New(&x.pcg).Uint64()
			x.s = *s
			over := x.playOut(turns)
			st := rules.Standing(&x.s)
			for seat := range game.Seat(rules.Seats()) {
				if over {
					all[seat].add(prize(&st, rules.Seats(), seat, 0))
				} else {
					all[seat].add(x.foretold(net, seat))
				}
			}
		}
		for seat := range rules.Seats() {
			of := whole * float64(n)
			out[seat] = Foretold{float64(all[seat].margin) / of, float64(all[seat].wins) / of}
		}
	}
}
