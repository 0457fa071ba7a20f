package bosk

import (
	"math"
	"math/bits"

	"copse/game"
)

// The worth by which the reference player greedy judges, frozen: worth.go as it
// stood at version 1 of the references (bot.ReferenceVersion). It is a copy on
// purpose and shares nothing with worth.go but the rules themselves, for that
// file is tuned and this one never is: strength is measured against greedy, and
// a measure that changes measures nothing. bot/testdata holds choices that fail
// with any change here.

// yardstick is the rules, with methods of its own.
type yardstick Rules

// ReferenceWorth is the lead over the others that seat may expect after winter,
// for ever in the opinion of version 1.
func (r *Rules) ReferenceWorth(s *Position, seat game.Seat) float64 {
	return (*yardstick)(r).worth(s, seat)
}

// refOutlook is what is known of a park before anything stands in it.
type refOutlook struct {
	// reach is how many of the leaves of a tile are expected in each region, in
	// sixteenths, if they fall from a crossing along any path: by crossing,
	// wind (0 for any, each as likely as the others) and tile.
	reach [128][West + 1][highestTile + 1][maxRegions]uint8
}

const (
	refSixteenths = 16
	refAnyWind    = Wind(0)
)

// lookOut follows all paths from every crossing at once. After so many steps a
// path is so many squares ahead and at most as many aside.
func (r *yardstick) lookOut() *refOutlook {
	o := new(refOutlook)
	for k, c := range r.crossings {
		for wind := North; wind <= West; wind++ {
			var region [maxRegions]float64
			here := [2*highestTile + 2]float64{highestTile - 1: 0.5, highestTile: 0.5} // by steps aside, 0 at highestTile
			for tile := int8(1); tile <= highestTile; tile++ {
				var next [len(here)]float64
				for i, p := range here {
					row, column := c.step(wind, tile, int8(i)-highestTile)
					if p == 0 || !(*Rules)(r).inPark(row, column) {
						continue
					}
					region[r.terrainAt[at(row, column)]] += p
					for j := max(i-1, 0); j <= min(i+1, len(next)-1); j++ {
						next[j] += p / 3
					}
				}
				for n := range region {
					o.reach[k][wind][tile][n] = uint8(math.Round(refSixteenths * region[n]))
				}
				here = next
			}
		}
		reach := &o.reach[k]
		for tile := range reach[refAnyWind] {
			for n := range reach[refAnyWind][tile] {
				all := int(reach[North][tile][n]) + int(reach[East][tile][n]) + int(reach[South][tile][n]) + int(reach[West][tile][n])
				reach[refAnyWind][tile][n] = uint8((all + 2) / 4)
			}
		}
	}
	return o
}

// What bots believe, in parts.
const (
	refAutumnInSpring = 0.6  // how much of autumn is thought of while trees are planted
	refLeavesThatLand = 0.75 // of those that a path has room for: others' piles cost some
	refWandering      = 1.0  // variance of a leaf to come
	refFlipping       = 0.25 // variance of a square held, while all of autumn is to come
	refSettled        = 0.3  // variance that is left where nothing is to come
	refBestOther      = 0.6  // how much the best other counts in what a lead is over; all others share the rest
)

// worth is the lead over the others that seat may expect after winter.
func (r *yardstick) worth(s *Position, seat game.Seat) float64 {
	if s.phase == finished {
		return r.finalLead(s, seat)
	}
	var total [game.MaxSeats]float64
	if s.phase == planting {
		r.expectTrails(s, &total)
		var ground [game.MaxSeats]float64
		r.expectRegions(s, &ground)
		for i := range total {
			total[i] += float64(refAutumnInSpring * ground[i])
		}
	} else {
		for i, points := range s.summer {
			total[i] = float64(points)
		}
		r.expectRegions(s, &total)
	}
	best, sum := math.Inf(-1), 0.0
	for other, points := range total[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, points)
			sum += points
		}
	}
	return total[seat] - float64(refBestOther*best) - (1-refBestOther)*sum/float64(r.seats-1)
}

// finalLead is the lead over the best other; where that is 0 a little says who
// is ahead (7.6).
func (r *yardstick) finalLead(s *Position, seat game.Seat) float64 {
	st := (*Rules)(r).Standing(s)
	best := game.Points(0)
	for other, score := range st.Seats[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, score.Total)
		}
	}
	lead := float64(st.Seats[seat].Total - best)
	if st.Seats[seat].Rank == 1 {
		return lead + 0.5
	}
	return lead - 0.5
}

// refProspect is what a seat may expect to have somewhere in the end.
type refProspect struct {
	mean, variance float64
	there          float64 // how likely it has anything
}

// expect adds the points that each seat may expect, given what is to be
// expected of each, to sum.
func (r *yardstick) expect(of *[game.MaxSeats]refProspect, alone, first, second float64, sum *[game.MaxSeats]float64) {
	var behind [game.MaxSeats][game.MaxSeats]float64 // how likely a is there and ahead of b
	for a := 0; a < r.seats; a++ {
		for b := a + 1; b < r.seats; b++ {
			lead := of[a].mean - of[b].mean
			p := 0.5 + 0.5*lead/math.Sqrt(of[a].variance+of[b].variance+refSettled+float64(lead*lead))
			behind[b][a] = of[a].there * p
			behind[a][b] = of[b].there * (1 - p)
		}
	}
	for a := range r.seats {
		if of[a].there == 0 {
			continue
		}
		nobody, leads, follows := 1.0, 1.0, 0.0 // nobody else is there; nobody is ahead; exactly one is
		for b := range r.seats {
			if b != a {
				nobody *= 1 - of[b].there
				follows = float64(follows*(1-behind[a][b])) + float64(leads*behind[a][b])
				leads *= 1 - behind[a][b]
			}
		}
		sum[a] += float64(of[a].there * (float64(alone*nobody) + float64(first*(leads-nobody)) + float64(second*follows)))
	}
}

// expectTrails adds the points that summer may bring: a tree still in hand may
// come to stand on any trail.
func (r *yardstick) expectTrails(s *Position, sum *[game.MaxSeats]float64) {
	trails := float64(r.side - 1)
	var hand [game.MaxSeats]refProspect
	for seat := range r.seats {
		missed := 1.0
		for v, n := range s.hand[seat] {
			value := float64(v + 1)
			hand[seat].mean += float64(n) * value / trails
			hand[seat].variance += float64(n) * value * value / trails
			for range n {
				missed *= 1 - 1/trails
			}
		}
		hand[seat].there = 1 - missed
	}
	for trail := range 2 * (r.side - 1) {
		if trail >= r.side-1 {
			trail += maxSide - r.side // columns begin there
		}
		of := hand
		for seat := range r.seats {
			if have := s.sums[seat][trail]; have > 0 {
				of[seat].mean += float64(have)
				of[seat].there = 1
			}
		}
		r.expect(&of, 3, 2, 1, sum)
	}
}

// expectRegions adds the points that winter may bring: what is held now, and
// what each tree still standing may shed.
func (r *yardstick) expectRegions(s *Position, sum *[game.MaxSeats]float64) {
	var coming [game.MaxSeats][maxRegions]float64
	for seat := range game.Seat(r.seats) {
		r.leavesToCome(s, seat, &coming[seat])
	}
	left := 1.0
	if s.round > 0 {
		left = float64(rounds-int(s.round)) / rounds
	}
	for n := range r.region {
		var of [game.MaxSeats]refProspect
		for seat := range r.seats {
			held, more := float64(s.control[n][seat]), coming[seat][n]
			of[seat] = refProspect{mean: held + more, variance: float64(refWandering*more) + float64(refFlipping*left*held), there: 1}
			if held == 0 {
				of[seat].there = more / (more + 0.7) // about 1-e^-more
			}
		}
		r.expect(&of, 8, 5, 3, sum)
	}
}

// leavesToCome adds up how many leaves a seat may still lay in each region. In
// a round that names a tree one of that value sheds, else any.
func (r *yardstick) leavesToCome(s *Position, seat game.Seat, region *[maxRegions]float64) {
	tiles := bits.OnesCount8(s.tiles[seat])
	if tiles == 0 {
		return
	}
	worth := 0
	for t := range highestTile {
		worth += (t + 1) * int(s.tiles[seat]>>t&1)
	}
	tile := (worth + tiles/2) / tiles // a tile as it will be on average
	first := max(int(s.round), 1)
	if s.round > 0 && s.played[seat] != 0 {
		first++
	}
	// What is left is the share of the rounds that name no tree in which each
	// wind blows, and the wind of the next round that names a tree.
	var open [West + 1]float64
	var named [values]Wind
	rest := 0.0
	if s.side != 0 {
		for round := rounds; round >= first; round-- {
			wind := (*Rules)(r).blows(s.side, round)
			if tree := r.wind[round-1].tree; tree != anyTree {
				named[tree-1] = wind
			} else {
				open[wind]++
				rest++
			}
		}
	}
	if rest == 0 || open == [West + 1]float64{0, 1, 1, 1, 1} {
		open, rest = [West + 1]float64{refAnyWind: 1}, 1
	}
	const scale = refLeavesThatLand / refSixteenths
	outlook := r.reference()
	for v, pair := range s.trees[seat] {
		for i, number := range pair {
			if number == 0 || number == s.from {
				continue
			}
			reach := &outlook.reach[number-1]
			share := 1.0
			if wind := named[v]; wind != 0 {
				must := 1.0
				if other := pair[1-i]; other != 0 && other != s.from {
					must = 0.5 // one of the two
				}
				for n, leaves := range reach[wind][tile] {
					region[n] += float64(scale * must * float64(leaves))
				}
				share -= must
			}
			if share == 0 {
				continue
			}
			for wind, part := range open {
				if part > 0 {
					part *= scale * share / rest
					for n, leaves := range reach[wind][tile] {
						region[n] += float64(part * float64(leaves))
					}
				}
			}
		}
	}
	inHand := 0 // nobody knows where they will stand
	for _, n := range s.hand[seat] {
		inHand += int(n)
	}
	for n, size := range r.sizes {
		region[n] += refLeavesThatLand * float64(inHand*tile*size) / float64(r.side*r.side)
	}
}
