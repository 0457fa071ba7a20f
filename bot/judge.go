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
	judgesPlayouts = "playouts:" // games that are played on by its plans; their number follows
)

// JudgeOf is the judge of a name; a *game.Fault says which there are.
func JudgeOf[S, M comparable](rules game.Playable[S, M], name string) (Judge[S], error) {
	digits, ok := strings.CutPrefix(name, judgesPlayouts)
	n, err := strconv.Atoi(digits)
	switch {
	case name == JudgeWorth:
		return judgeByWorth(rules), nil
	case name == JudgeNet:
		j := netFor(rules)
		if j == nil {
			return nil, game.Blame("bot.net", nil)
		}
		return func(s *S, _ uint64, out *[game.MaxSeats]Foretold) {
			for seat := range game.Seat(rules.Seats()) {
				out[seat] = j.foretell(s, seat)
			}
		}, nil
	case ok && err == nil && n >= 1 && n <= mostPlayouts && strconv.Itoa(n) == digits:
		return judgeByPlayouts(rules, n), nil
	}
	return nil, game.Blame("bot.judge", game.Args{"judge": name, "known": []string{JudgeWorth, JudgeNet, judgesPlayouts + "N"}})
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

// judgeByPlayouts foretells by games that are played on to the end, as a search does.
func judgeByPlayouts[S, M comparable](rules game.Playable[S, M], n int) Judge[S] {
	x := newSearcher(judging(rules), &effort{ends: true})
	return func(s *S, numbers uint64, out *[game.MaxSeats]Foretold) {
		var all [game.MaxSeats]result
		for k := range uint64(n) {
			x.pcg.Seed(numbers, k)
			x.luck = rand.New(&x.pcg).Uint64()
			x.s = *s
			x.playOut(0)
			st := rules.Standing(&x.s)
			for seat := range game.Seat(rules.Seats()) {
				all[seat].add(prize(&st, rules.Seats(), seat, 0))
			}
		}
		for seat := range rules.Seats() {
			of := whole * float64(n)
			out[seat] = Foretold{float64(all[seat].margin) / of, float64(all[seat].wins) / of}
		}
	}
}
