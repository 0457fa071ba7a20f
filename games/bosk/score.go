package bosk

import (
	"maps"
	"slices"

	"copse/game"
)

// The parts of a score.
const (
	summer = iota
	winter
)

// The sections of the rules that say how they are scored.
const (
	summerRules = "3"
	winterRules = "7"
	tieRule     = "7.6"
)

// contest is how the places on a trail or in a region fall (3.1–3.5, 7.1–7.5).
type contest uint8

const (
	nobody         contest = iota // nobody is there
	alone                         // one alone first, nobody else there
	firstAndSecond                // one alone first, one alone second
	tiedSecond                    // one alone first, two or more tied for second
	tiedFirst                     // two or more tied for first
)

// String is the name of the contest on the wire.
func (c contest) String() string {
	return [...]string{"nobody", "alone", "first-and-second", "tied-second", "tied-first"}[c]
}

// prizes is what first and second place get in each kind of contest.
type prizes [tiedFirst + 1]struct{ first, second uint8 }

func trailPrizes() prizes {
	return prizes{alone: {3, 0}, firstAndSecond: {2, 1}, tiedSecond: {2, 0}, tiedFirst: {1, 0}}
}

func regionPrizes() prizes {
	return prizes{alone: {8, 0}, firstAndSecond: {5, 3}, tiedSecond: {5, 1}, tiedFirst: {4, 0}}
}

// share is what each seat has somewhere: the values of its trees on a trail or
// its squares in a region. Who has nothing has no place there.
type share [game.MaxSeats]uint8

// judge finds the places: what the first and the second have, and how that is
// to be scored.
func (sh *share) judge() (c contest, first, second uint8) {
	var firsts, seconds int
	for _, n := range sh {
		switch {
		case n == 0:
		case n > first:
			first, second = n, first
			firsts, seconds = 1, firsts
		case n == first:
			firsts++
		case n > second:
			second, seconds = n, 1
		case n == second:
			seconds++
		}
	}
	switch {
	case firsts == 0:
		return nobody, 0, 0
	case firsts > 1:
		return tiedFirst, first, second
	case seconds == 0:
		return alone, first, 0
	case seconds == 1:
		return firstAndSecond, first, second
	}
	return tiedSecond, first, second
}

// points adds what each seat gets for its share to sum.
func (sh *share) points(p *prizes, sum *[game.MaxSeats]uint8) contest {
	c, first, second := sh.judge()
	for seat, n := range sh {
		switch n {
		case 0:
		case first:
			sum[seat] += p[c].first
		case second:
			sum[seat] += p[c].second
		}
	}
	return c
}

// trailShare is what each seat has on a trail: row trails from 0, column
// trails from maxSide-1.
func (r *Rules) trailShare(s *Position, trail int) share {
	return share{s.sums[0][trail], s.sums[1][trail], s.sums[2][trail], s.sums[3][trail]}
}

// trailPoints scores the trees as they stand now or, from summer on, as they
// stood then.
func (r *Rules) trailPoints(s *Position) [game.MaxSeats]uint8 {
	var sum [game.MaxSeats]uint8
	for trail := range r.side - 1 {
		rows, columns := r.trailShare(s, trail), r.trailShare(s, maxSide-1+trail)
		rows.points(&r.trailPrizes, &sum)
		columns.points(&r.trailPrizes, &sum)
	}
	return sum
}

// regionPoints scores the leaves and squirrels as they lie now.
func (r *Rules) regionPoints(s *Position) [game.MaxSeats]uint8 {
	var sum [game.MaxSeats]uint8
	for n := range r.region {
		region := share(s.control[n])
		region.points(&r.regionPrizes, &sum)
	}
	return sum
}

// Standing is the score as if both scoring seasons came now: in spring what the
// trees would bring, in autumn summer's points and what the ground would bring.
// Ties go to the seat closest to the start player (7.6).
func (r *Rules) Standing(s *Position) game.Standing {
	st := game.Standing{Over: s.phase == finished}
	trails, ground := s.summer, r.regionPoints(s)
	if s.phase == planting {
		trails = r.trailPoints(s)
	}
	for seat := range r.seats {
		score := &st.Seats[seat]
		score.Parts[summer] = game.Points(trails[seat])
		score.Parts[winter] = game.Points(ground[seat])
		score.Total = score.Parts[summer] + score.Parts[winter]
	}
	for a := range game.Seat(r.seats) {
		rank := int32(1)
		for b := range game.Seat(r.seats) {
			mine, other := st.Seats[a].Total, st.Seats[b].Total
			if other > mine || other == mine && r.distance(s.start, b) < r.distance(s.start, a) {
				rank++
			}
		}
		st.Seats[a].Rank = rank
	}
	return st
}

// TieBreak is how two seats with the same total are told apart: who comes first
// clockwise from the start player (7.6).
func (r *Rules) TieBreak(s *Position, seat, other game.Seat) (string, game.Args) {
	args := game.Args{"seat": seat, "other": other, "rule": tieRule}
	if seat == s.start {
		return "bosk.tie.start", args
	}
	args["start"] = s.start
	return "bosk.tie.closer", args
}

// Sheet explains the standing: every trail with the sums that decided it and,
// from autumn on, every region with the squares held there.
func (r *Rules) Sheet(s *Position) []game.SheetLine {
	var lines []game.SheetLine
	for row := range r.side - 1 {
		lines = append(lines, r.line("bosk.sheet.row", summerRules, r.trailShare(s, row), &r.trailPrizes, game.Args{"trail": row + 1}))
	}
	for column := range r.side - 1 {
		sh := r.trailShare(s, maxSide-1+column)
		lines = append(lines, r.line("bosk.sheet.column", summerRules, sh, &r.trailPrizes, game.Args{"trail": column + 1}))
	}
	if s.round == 0 {
		return lines
	}
	for n, t := range r.region {
		args := game.Args{"region": t.name, "size": r.sizes[n]}
		lines = append(lines, r.line("bosk.sheet.region", winterRules, share(s.control[n]), &r.regionPrizes, args))
	}
	return lines
}

// line explains one contest: what each seat has, why it is scored so, and by
// which rule of the section.
func (r *Rules) line(key, section string, sh share, p *prizes, args game.Args) game.SheetLine {
	var sum [game.MaxSeats]uint8
	c := sh.points(p, &sum)
	have, points := make([]int, r.seats), make([]game.Points, r.seats)
	for seat := range r.seats {
		have[seat], points[seat] = int(sh[seat]), game.Points(sum[seat])
	}
	args["have"] = have
	args["why"] = c.String()
	args["rule"] = section + [...]string{nobody: ".1", alone: ".4", firstAndSecond: ".2", tiedSecond: ".3", tiedFirst: ".5"}[c]
	part := "summer"
	if section == winterRules {
		part = "winter"
	}
	return game.SheetLine{Part: part, Key: key, Args: args, Points: points}
}

// Facts says what a screen shows beside a move: the totals it would lead to,
// and what the deed itself costs or covers.
func (r *Rules) Facts(s *Position, seat game.Seat, m Move) game.Args {
	next := *s
	r.Play(&next, seat, m, nil)
	st := r.Standing(&next)
	totals := make([]int, r.seats)
	for i := range totals {
		totals[i] = int(st.Seats[i].Total)
	}
	facts := game.Args{"totals": totals}
	switch m.Do {
	case Plant:
		facts["row"] = int(next.sums[seat][m.Row-1])
		facts["column"] = int(next.sums[seat][maxSide-2+m.Column])
	case Call:
		blows := make([]string, rounds)
		for i := range blows {
			blows[i] = r.blows(Wind(m.Piece), i+1).String()
		}
		facts["blows"] = blows
	case Shed:
		first := [][2]int{}
		if next.phase == falling || next.phase == running {
			for _, to := range r.Moves(&next, seat, nil) {
				first = append(first, [2]int{int(to.Row), int(to.Column)})
			}
		}
		facts["to"] = first
	case Leaf, Run:
		i := at(m.Row, m.Column)
		facts["region"] = r.region[r.terrainAt[i]].name
		facts["covers"] = s.square[i].height()
		if m.Do == Leaf {
			price := int(r.price[seat][s.square[i]])
			facts["price"], facts["left"] = price, int(s.active)-price
			facts["reach"] = r.reach(&next, seat)
		}
	}
	return facts
}

// reach lists the squares that the path of a turn could still come to, row by
// row and none twice. A path only ever goes ahead, so of several ways to a
// square the one that has most leaves left reaches all that any of them does.
func (r *Rules) reach(s *Position, seat game.Seat) [][2]int {
	turn, seen := s.turn, [gridSize]bool{}
	for front := []Position{*s}; len(front) > 0; {
		best := map[uint8]Position{}
		for i := range front {
			if front[i].turn != turn || front[i].phase != falling {
				continue
			}
			for _, m := range r.Moves(&front[i], seat, nil) {
				next := front[i]
				r.Play(&next, seat, m, nil)
				to := at(m.Row, m.Column)
				seen[to] = true
				if before, ok := best[to]; next.turn == turn && (!ok || next.active > before.active) {
					best[to] = next
				}
			}
		}
		front = slices.Collect(maps.Values(best))
	}
	reached := [][2]int{}
	for row := range r.side {
		for column := range r.side {
			if seen[at(int8(row), int8(column))] {
				reached = append(reached, [2]int{row, column})
			}
		}
	}
	return reached
}
