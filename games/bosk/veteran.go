package bosk

import (
	"math"
	"math/bits"

	"copse/game"
)

// What the reference player veteran judges by, frozen: worth.go and worth_turn.go as
// they stood on the day on which level 10 became the veteran. It is a copy on
// purpose and shares nothing with them but the rules themselves, for they are tuned
// and this never is: strength is measured against the veteran, and a measure that
// changes measures nothing. bot/testdata holds choices that fail with any change here.

// material is what lies on the table, without the methods of the rules: so nothing
// that is tuned is asked by mistake.
type material Rules

// veteran is what players asked the game on that day.
type veteran struct {
	*material
	outlook vetOutlook
}

// law is the rules themselves.
func (r *veteran) law() *Rules { return (*Rules)(r.material) }

// Veteran implements game.Remembering.
func (r *Rules) Veteran() any {
	old := &veteran{material: (*material)(r)}
	old.lookOut()
	return old
}

// What bots hold a position for: none of this is a rule. The points that a seat
// may expect of a trail or a region are worked out as if everything still to
// come fell at random where it can fall; so a lead is worth more the later it
// is, and what several can still win is worth a part of it to each.

// vetOutlook is what is known of a park before anything stands in it.
type vetOutlook struct {
	// reach is how many of the leaves of a tile are expected in each region, in
	// sixteenths, if they fall from a crossing along any path: by crossing,
	// wind (0 for any, each as likely as the others) and tile.
	reach [128][West + 1][highestTile + 1][maxRegions]uint8
}

const (
	vetSixteenths = 16
	vetAnyWind    = Wind(0)
)

// lookOut follows all paths from every crossing at once. After so many steps a
// path is so many squares ahead and at most as many aside.
func (r *veteran) lookOut() {
	for k, c := range r.crossings {
		for wind := North; wind <= West; wind++ {
			var region [maxRegions]float64
			here := [2*highestTile + 2]float64{highestTile - 1: 0.5, highestTile: 0.5} // by steps aside, 0 at highestTile
			for tile := int8(1); tile <= highestTile; tile++ {
				var next [len(here)]float64
				for i, p := range here {
					row, column := c.step(wind, tile, int8(i)-highestTile)
					if p == 0 || !r.law().inPark(row, column) {
						continue
					}
					region[r.terrainAt[at(row, column)]] += p
					for j := max(i-1, 0); j <= min(i+1, len(next)-1); j++ {
						next[j] += p / 3
					}
				}
				for n := range region {
					r.outlook.reach[k][wind][tile][n] = uint8(math.Round(vetSixteenths * region[n]))
				}
				here = next
			}
		}
		reach := &r.outlook.reach[k]
		for tile := range reach[vetAnyWind] {
			for n := range reach[vetAnyWind][tile] {
				all := int(reach[North][tile][n]) + int(reach[East][tile][n]) + int(reach[South][tile][n]) + int(reach[West][tile][n])
				reach[vetAnyWind][tile][n] = uint8((all + 2) / 4)
			}
		}
	}
}

// What bots believe, in parts.
const (
	vetAutumnInSpring = 0.6  // how much of autumn is thought of while trees are planted
	vetLeavesThatLand = 0.75 // of those that a path has room for: others' piles cost some
	vetWandering      = 1.0  // variance of a leaf to come
	vetFlipping       = 0.25 // variance of a square held, while all of autumn is to come
	vetSettled        = 0.3  // variance that is left where nothing is to come
)

// Worth is the lead over the others that seat may expect after winter.
func (r *veteran) Worth(s *Position, seat game.Seat) float64 {
	if s.phase == finished {
		st := r.law().Standing(s)
		return game.VeteranLead(&st, r.seats, seat)
	}
	var totals [game.MaxSeats]float64
	r.Forecast(s, &totals)
	return game.VeteranAhead(&totals, r.seats, seat)
}

// Forecast is what everyone may expect to have after winter.
func (r *veteran) Forecast(s *Position, totals *[game.MaxSeats]float64) {
	switch s.phase {
	case finished:
		st := r.law().Standing(s)
		for seat, score := range st.Seats {
			totals[seat] = float64(score.Total)
		}
	case planting:
		r.expectTrails(s, totals)
		var ground [game.MaxSeats]float64
		r.expectRegions(s, &ground)
		for seat := range totals {
			totals[seat] += float64(vetAutumnInSpring * ground[seat])
		}
	default:
		for seat, points := range s.summer {
			totals[seat] = float64(points)
		}
		r.expectRegions(s, totals)
	}
}

// vetProspect is what a seat may expect to have somewhere in the end.
type vetProspect struct {
	mean, variance float64
	there          float64 // how likely it has anything
}

// expect adds the points that each seat may expect in a region, given what is to
// be expected of each, to sum (7.2 to 7.5).
func (r *veteran) expect(of *[game.MaxSeats]vetProspect, sum *[game.MaxSeats]float64) {
	// How likely b is there and ahead of a, and how likely it is not level with
	// a either, but behind or not there.
	var ahead, behind [game.MaxSeats][game.MaxSeats]float64
	for a := 0; a < r.seats; a++ {
		for b := a + 1; b < r.seats; b++ {
			lead := of[a].mean - of[b].mean
			spread := of[a].variance + of[b].variance + vetSettled
			clear := 0.5 + 0.5*(lead-0.5)/math.Sqrt(spread+float64((lead-0.5)*(lead-0.5)))
			level := 0.5 + 0.5*(lead+0.5)/math.Sqrt(spread+float64((lead+0.5)*(lead+0.5)))
			ahead[a][b], behind[a][b] = of[b].there*(1-level), 1-float64(of[b].there*(1-clear))
			ahead[b][a], behind[b][a] = of[a].there*clear, 1-float64(of[a].there*level)
		}
	}
	for a := range r.seats {
		if of[a].there == 0 {
			continue
		}
		nobody := 1.0              // else is there
		first, tied := 1.0, 1.0    // all others are behind; none is ahead
		second, shared := 0.0, 0.0 // one is ahead and all the rest are behind; none of the rest is ahead
		for b := range r.seats {
			if b != a {
				nobody *= 1 - of[b].there
				second = float64(second*behind[a][b]) + float64(first*ahead[a][b])
				shared = float64(shared*(1-ahead[a][b])) + float64(tied*ahead[a][b])
				first *= behind[a][b]
				tied *= 1 - ahead[a][b]
			}
		}
		sum[a] += float64(of[a].there * (float64(3*nobody) + first + float64(4*tied) + float64(2*second) + shared)) // 8, 5, 4, 3, 1
	}
}

const (
	vetMost     = 2 * (1 + 2 + 3 + 4) // as much as a hand of trees can bring to one trail
	vetUnlikely = 0.01                // what is less likely than that is not told from what is a little less
)

// vetHand is how likely the trees in a hand are to bring so much to any one trail,
// if each comes to stand on a trail as likely as on any other.
type vetHand struct {
	brings [vetMost + 1]float32
	below  [vetMost + 2]float32 // less than so much
	upTo   int                  // the most that it brings, as good as ever
}

// hands works them out for every seat.
func (r *veteran) hands(s *Position, of *[game.MaxSeats]vetHand) {
	there := 1 / float32(r.side-1)
	for seat := range r.seats {
		h := &of[seat]
		h.brings[0] = 1
		for v, n := range s.hand[seat] {
			for range n {
				h.upTo += v + 1
				for x := h.upTo; x >= 0; x-- {
					here := float32(h.brings[x] * (1 - there))
					if x > v {
						here += float32(h.brings[x-v-1] * there)
					}
					h.brings[x] = here
				}
			}
		}
		x := 0
		for ; x < h.upTo && 1-h.below[x]-h.brings[x] > vetUnlikely; x++ {
			h.below[x+1] = h.below[x] + h.brings[x]
		}
		h.upTo, h.brings[x] = x, 1-h.below[x]
	}
}

// less is how likely the hand brings less than x.
func (h *vetHand) less(x int) float32 {
	switch {
	case x <= 0:
		return 0
	case x > h.upTo:
		return 1
	}
	return h.below[x]
}

// just is how likely it brings x.
func (h *vetHand) just(x int) float32 {
	if x < 0 || x > h.upTo {
		return 0
	}
	return h.brings[x]
}

// trail is how many points a seat may expect of a trail on which everyone has so
// much, by the rules for ties too (3.2 to 3.5): among small sums they decide.
func (r *veteran) trail(have *share, of *[game.MaxSeats]vetHand, seat int) float64 {
	own := &of[seat]
	nobody := float32(1) // else is there
	for b := range r.seats {
		if b == seat {
			continue
		}
		if have[b] != 0 {
			nobody = 0
			break
		}
		nobody *= of[b].brings[0]
	}
	if r.seats == 2 {
		return own.against(&of[1-seat], int(have[seat]), int(have[seat])-int(have[1-seat]), nobody)
	}
	points := float32(0)
	for x, p := range own.brings[:own.upTo+1] {
		x += int(have[seat])
		if p == 0 || x == 0 {
			continue
		}
		// All others have less; none has more; one has more and all the rest less.
		behind, notAhead, follows := float32(1), float32(1), float32(0)
		for b := range r.seats {
			if b == seat {
				continue
			}
			k := x - int(have[b])
			less, just := of[b].less(k), of[b].just(k)
			follows = float32(follows*less) + float32(behind*(1-less-just))
			behind *= less
			notAhead *= less + just
		}
		points += float32(p * (nobody + behind + notAhead + follows)) // 3 alone, 2 first, 1 tied or second
	}
	return float64(points)
}

// against is trail between two: with so much there and so much more than the
// other, who is not there as likely as nobody says.
func (h *vetHand) against(other *vetHand, have, lead int, nobody float32) float64 {
	points := float32(0)
	for x, p := range h.brings[:h.upTo+1] {
		if p == 0 || x+have == 0 {
			continue
		}
		less, just := other.less(x+lead), other.just(x+lead)
		points += float32(p * (nobody + less + (less + just) + (1 - less - just)))
	}
	return float64(points)
}

// expectTrails adds the points that summer may bring.
func (r *veteran) expectTrails(s *Position, sum *[game.MaxSeats]float64) {
	var of [game.MaxSeats]vetHand
	r.hands(s, &of)
	for trail := range r.side - 1 {
		rows, columns := r.law().trailShare(s, trail), r.law().trailShare(s, maxSide-1+trail)
		for seat := range r.seats {
			sum[seat] += r.trail(&rows, &of, seat) + r.trail(&columns, &of, seat)
		}
	}
}

// expectRegions adds the points that winter may bring: what is held now, and
// what each tree still standing may shed.
func (r *veteran) expectRegions(s *Position, sum *[game.MaxSeats]float64) {
	var coming [game.MaxSeats][maxRegions]float64
	r.expectLeaves(s, &coming)
	r.expectControl(s, &coming, sum)
}

// expectLeaves adds up the leaves that everyone may still lay in each region.
func (r *veteran) expectLeaves(s *Position, coming *[game.MaxSeats][maxRegions]float64) {
	for seat := range game.Seat(r.seats) {
		r.leavesToCome(s, seat, &coming[seat])
	}
}

// expectControl adds the points that winter may bring where so many leaves are to come.
func (r *veteran) expectControl(s *Position, coming *[game.MaxSeats][maxRegions]float64, sum *[game.MaxSeats]float64) {
	left := 1.0
	if s.round > 0 {
		left = float64(rounds-int(s.round)) / rounds
	}
	for n := range r.region {
		var of [game.MaxSeats]vetProspect
		for seat := range r.seats {
			held, more := float64(s.control[n][seat]), coming[seat][n]
			of[seat] = vetProspect{mean: held + more, variance: float64(vetWandering*more) + float64(vetFlipping*left*held), there: 1}
			if held == 0 {
				of[seat].there = more / (more + 0.7) // about 1-e^-more
			}
		}
		r.expect(&of, sum)
	}
}

// leavesToCome adds up how many leaves a seat may still lay in each region. In
// a round that names a tree one of that value sheds, else any.
func (r *veteran) leavesToCome(s *Position, seat game.Seat, region *[maxRegions]float64) {
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
			wind := r.law().blows(s.side, round)
			if tree := r.wind[round-1].tree; tree != anyTree {
				named[tree-1] = wind
			} else {
				open[wind]++
				rest++
			}
		}
	}
	if rest == 0 || open == [West + 1]float64{0, 1, 1, 1, 1} {
		open, rest = [West + 1]float64{vetAnyWind: 1}, 1
	}
	const scale = vetLeavesThatLand / vetSixteenths
	for v, pair := range s.trees[seat] {
		for i, number := range pair {
			if number == 0 || number == s.from {
				continue
			}
			reach := &r.outlook.reach[number-1]
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
		region[n] += vetLeavesThatLand * float64(inHand*tile*size) / float64(r.side*r.side)
	}
}
