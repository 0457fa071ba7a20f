package bosk

import (
	"math/bits"
	"math/rand/v2"

	"copse/game"
)

// How a quick turn is made: none of this is a rule.
const (
	plantTries = 12  // trees and crossings of which the best are taken
	shedIn1ms  = 110 // turns of autumn
	keenness   = 1.2 // how much the worth of a tree or tile wavers
)

// The habits of quick turns, in hundredths.
const (
	habitTree     = 0                      // what it counts to plant a tree, by its value, at the beginning of spring,
	habitLateTree = habitTree + values     // and how much more at the end of it
	habitRoom     = habitLateTree + values // likewise for a leaf that may fall in the park from there
	habitLateRoom = habitRoom + 1
	habitOther    = habitLateRoom + 1 // against it: what a trail brings the other of two
	habitLand     = habitOther + 1    // leaves that land, of those that are left
	habitWander   = habitLand + 1     // variance of a leaf to come
	habitFlip     = habitWander + 1   // variance of a square held, while all of autumn is to come
	habitSpent    = habitFlip + 1     // against a tile: what its leaves would bring on average
	habitFirm     = habitSpent + 1    // times what the square of a squirrel brings
	habitRival    = habitFirm + 1     // against it: what a region brings the others
	habitTile     = habitRival + 1    // to use a tile now, by its number
	allHabits     = habitTile + highestTile
)

// habits are the numbers that quick turns go by.
type habits [allHabits]int16

// usualHabits were found by play: copse practise bosk.
func usualHabits() habits {
	return habits{
		-96, -168, -130, -119, 101, 153, -6, -99, -5, 33,
		131, 124, 95, 36, 75, -153, 52,
		-140, 200, 178, 31, 209, -102, -110, -119,
	}
}

// Habits implements game.Practised.
func (r *Rules) Habits() []int16 {
	h := r.habits
	return h[:]
}

// Practise implements game.Practised.
func (r *Rules) Practise(by []int16) game.Planner[Position, Move] {
	other := *r
	copy(other.habits[:], by)
	other.settle()
	return &other
}

// The least that may be meant: some leaves land, and nothing is certain.
const (
	leastLand   = 0.05
	leastSpread = 0.02
)

// settle makes of the habits, in hundredths, what they count.
func (r *Rules) settle() {
	for i, n := range r.habits {
		r.habit[i] = float64(n) / 100
	}
	r.habit[habitLand] = max(r.habit[habitLand], leastLand)
	r.habit[habitWander] = max(r.habit[habitWander], leastSpread)
	r.habit[habitFlip] = max(r.habit[habitFlip], leastSpread)
}

// measureRoom counts the leaves that may fall in the park from each crossing.
func (r *Rules) measureRoom() {
	for k := range r.crossings {
		n := 0
		for _, x := range r.outlook.reach[k][anyWind][roomFor] {
			n += int(x)
		}
		r.room[k] = float64(n) / sixteenths
	}
}

// roomFor is the tile by which is measured how much room for leaves a crossing has.
const roomFor = 5

// Pace is how many turns are planned in a millisecond.
func (r *Rules) Pace(s *Position) int {
	if s.phase == planting {
		return plantedIn1ms(r.seats)
	}
	return shedIn1ms
}

// plantedIn1ms is how many turns of spring that are: the more there are at a table, the
// longer it takes to say who will be ahead on a trail.
func plantedIn1ms(seats int) int {
	return [...]int{2: 220, 3: 165, 4: 125}[seats]
}

// Enough is all of spring for who thinks in spring: what autumn makes of the
// trees is told better by where they stand than by how leaves happen to fall.
func (r *Rules) Enough(from, s *Position) bool {
	return from.phase == planting && s.phase != planting
}

// Plan makes a turn by what each square would bring by itself: a leaf path is a
// walk ahead, so the best one for any worth of squares is found step by step.
func (r *Rules) Plan(s *Position, seat game.Seat, rng *rand.Rand, buf []Move) []Move {
	switch s.phase {
	case planting:
		return append(buf, r.quickTree(s, seat, rng))
	case calling:
		return append(buf, Move{Do: Call, Piece: uint8(North) + uint8(rng.UintN(4))})
	}
	var g gains
	r.appraise(s, &g)
	switch s.phase {
	case shedding:
		return r.quickShed(s, seat, &g, rng, buf)
	case falling:
		var w walks
		w.follow(r, s, seat, &g, s.last, s.laid > 0, s.wind, int(s.active))
		return w.path(r, int(s.active), buf)
	}
	best, bring := Move{}, float32(-1)
	from := r.crossings[s.from-1]
	for ahead := int8(1); ahead <= 3; ahead++ {
		for aside := -ahead; aside < ahead; aside++ {
			row, column := from.step(s.wind, ahead, aside)
			if !r.inPark(row, column) || s.square[at(row, column)].squirrel() {
				continue
			}
			if b := g.of(r, s, seat, at(row, column)); b > bring {
				best, bring = Move{Do: Run, Row: row, Column: column}, b
			}
		}
	}
	return append(buf, best)
}

// quickTree finds one of the trees in hand a place on two good trails.
func (r *Rules) quickTree(s *Position, seat game.Seat, rng *rand.Rand) Move {
	inHand := 0
	for _, n := range s.hand[seat] {
		inHand += int(n)
	}
	late := float64(2*values-inHand) / (2 * values)
	var of [game.MaxSeats]hand
	r.hands(s, &of)
	free := bits.OnesCount64(s.free[0]) + bits.OnesCount64(s.free[1])
	best, bring := Move{}, -1e9
	for range plantTries {
		which, v := rng.IntN(inHand), 0
		for which >= int(s.hand[seat][v]) {
			which -= int(s.hand[seat][v])
			v++
		}
		k := r.nthFree(s, rng.IntN(free))
		c := r.crossings[k]
		gain := r.habit[habitTree+v] + float64(late*r.habit[habitLateTree+v])
		gain += float64((r.habit[habitRoom] + float64(late*r.habit[habitLateRoom])) * r.room[k])
		for _, trail := range [2]int{int(c.row) - 1, maxSide - 2 + int(c.column)} {
			have := r.trailShare(s, trail)
			gain -= r.trailLead(&have, &of, seat)
			have[seat] += uint8(v + 1)
			gain += r.trailLead(&have, &of, seat)
		}
		if gain > bring {
			best, bring = Move{Do: Plant, Piece: uint8(v + 1), Row: c.row, Column: c.column}, gain
		}
	}
	return best
}

// trailLead is what a seat may expect of a trail and, between two, how far that is
// ahead of the other: among more the others' share is too little to be worth the
// time.
func (r *Rules) trailLead(have *share, of *[game.MaxSeats]hand, seat game.Seat) float64 {
	own := r.trail(have, of, int(seat))
	if r.seats == 2 {
		own -= float64(r.habit[habitOther] * r.trail(have, of, int(1-seat)))
	}
	return own
}

// nthFree is the number of a free crossing, counted among those.
func (r *Rules) nthFree(s *Position, n int) int {
	w := 0
	if first := bits.OnesCount64(s.free[0]); n >= first {
		n, w = n-first, 1
	}
	free := s.free[w]
	for ; n > 0; n-- {
		free &= free - 1
	}
	return w*64 + bits.TrailingZeros64(free)
}

// regionLead is how far seat may expect to be ahead of the others in a region.
func (r *Rules) regionLead(of *[game.MaxSeats]prospect, seat game.Seat) float64 {
	var sum [game.MaxSeats]float64
	r.expect(of, &sum)
	others := 0.0
	for other, points := range sum[:r.seats] {
		if game.Seat(other) != seat {
			others += points
		}
	}
	return sum[seat] - float64(r.habit[habitRival]*(others/float64(r.seats-1)))
}

// gains is what one more square of a region is worth to a seat: a bare one, and
// one of each other's. It is worked out when it is asked for; 0 is not yet.
type gains struct {
	bare   [maxRegions]float32
	taken  [maxRegions][game.MaxSeats]float32
	now    [maxRegions]float64
	left   float64
	coming [game.MaxSeats]float64 // leaves of each seat for each square of the park
}

// leastGain is what a square brings that changes nothing: a path goes on anyway.
const leastGain = 0.01

// appraise begins to work the gains out.
func (r *Rules) appraise(s *Position, g *gains) {
	for other := range r.seats {
		n := 0
		for t := s.tiles[other]; t != 0; t &= t - 1 {
			n += bits.TrailingZeros8(t) + 1
		}
		g.coming[other] = r.habit[habitLand] * float64(n) / float64(r.side*r.side)
	}
	g.left = float64(rounds-int(s.round)) / rounds
}

// region is what everyone may expect in a region where seat has so many squares
// more and another so many fewer.
func (g *gains) region(r *Rules, s *Position, n uint8, seat, other game.Seat, more, fewer uint8) float64 {
	var of [game.MaxSeats]prospect
	size := float64(r.sizes[n])
	for i := range game.Seat(r.seats) {
		was := float64(s.control[n][i])
		held := s.control[n][i]
		if i == seat {
			held += more
		}
		if i == other {
			held -= fewer
		}
		coming := float64(g.coming[i] * size)
		of[i] = prospect{mean: float64(held) + coming, variance: float64(r.habit[habitWander]*coming) + float64(r.habit[habitFlip]*g.left*was), there: 1}
		if held == 0 {
			of[i].there = coming / (coming + 0.7)
		}
	}
	return r.regionLead(&of, seat)
}

// of is what it is worth to have a square.
func (g *gains) of(r *Rules, s *Position, seat game.Seat, i uint8) float32 {
	n, q := r.terrainAt[i], s.square[i]
	if q != bare && q.top() == seat {
		return 0
	}
	if g.bare[n] == 0 {
		g.now[n] = g.region(r, s, n, seat, seat, 0, 0)
		g.bare[n] = max(float32(g.region(r, s, n, seat, seat, 1, 0)-g.now[n]), leastGain)
	}
	if q == bare {
		return g.bare[n]
	}
	other := q.top()
	if g.taken[n][other] == 0 {
		g.taken[n][other] = max(float32(g.region(r, s, n, seat, other, 1, 1)-g.now[n]), leastGain)
	}
	return g.taken[n][other]
}

// walks are the best paths from one place: for each step, square across and
// number of leaves spent, the most that a path there brings, plus one; 0 where
// no path comes.
type walks struct {
	brings [highestTile + 1][2*highestTile + 4]([highestTile + 1]float32)
	via    [highestTile + 1][2*highestTile + 4]([highestTile + 1]int8) // the square across of the step before
	base   uint8
	way    way
	seat   game.Seat
	prices [highestTile + 1][2*highestTile + 4]uint8
}

// middle is where the square straight ahead stands in walks.
const middle = highestTile + 1

// follow finds the best paths that go on from a square with so many leaves.
func (w *walks) follow(r *Rules, s *Position, seat game.Seat, g *gains, base uint8, begun bool, wind Wind, leaves int) {
	w.base, w.way, w.seat = base, r.ways[wind], seat
	low, high := middle, middle+1
	if begun {
		low = middle - 1
	}
	w.brings[0][middle][0] = 1
	prices := &r.price[seat&3]
	for step := 1; step <= leaves; step++ {
		before, here := &w.brings[step-1], &w.brings[step]
		any := false
		for j := low; j <= high; j++ {
			i := w.square(step, j)
			price := int(prices[s.square[i]])
			if price > leaves-step+1 {
				continue
			}
			w.prices[step][j] = uint8(price)
			gain := g.of(r, s, seat, i)
			from, to := j-1, j+1
			if step == 1 {
				from, to = middle, middle
			}
			for k := from; k <= to; k++ {
				for spent := step - 1; spent <= leaves-price; spent++ {
					if b := before[k][spent]; b > 0 && b+gain > here[j][spent+price] {
						here[j][spent+price] = b + gain
						w.via[step][j][spent+price] = int8(k)
						any = true
					}
				}
			}
		}
		if !any {
			return
		}
		low, high = low-1, high+1
	}
}

// square is where in the grid a square of the walks lies.
func (w *walks) square(step, j int) uint8 {
	return w.base + uint8(step)*w.way.ahead + uint8(j-middle)*w.way.across
}

// best is the end of the best path that takes at most so many leaves.
func (w *walks) best(leaves int) (step, j, spent int, brings float32) {
	for st := leaves; st >= 1; st-- {
		for jj := range w.brings[st] {
			for sp := st; sp <= leaves; sp++ {
				if b := w.brings[st][jj][sp]; b > brings {
					step, j, spent, brings = st, jj, sp, b
				}
			}
		}
	}
	return step, j, spent, brings
}

// path appends the best path with so many leaves.
func (w *walks) path(r *Rules, leaves int, buf []Move) []Move {
	step, j, spent, _ := w.best(leaves)
	first := len(buf)
	for range step {
		buf = append(buf, Move{})
	}
	for ; step > 0; step-- {
		row, column := rowColumn(w.square(step, j))
		buf[first+step-1] = Move{Do: Leaf, Row: row, Column: column}
		via := int(w.via[step][j][spent])
		spent -= int(w.prices[step][j])
		j = via
	}
	return buf
}

// quickShed chooses tree and tile, and the path.
func (r *Rules) quickShed(s *Position, seat game.Seat, g *gains, rng *rand.Rand, buf []Move) []Move {
	must := r.mustShed(s)
	tiles := s.tiles[seat]
	if r.seats > 2 {
		// At a full table a tile is taken as it comes, for the sake of speed.
		tiles = 1 << anyOf(tiles, rng)
	}
	most := bits.Len8(tiles)
	// What each tile brings with the tree that suits it best.
	var bring [highestTile + 1]float32
	var tree [highestTile + 1]uint8
	for v, pair := range s.trees[seat] {
		if must != anyTree && int(must) != v+1 {
			continue
		}
		for _, number := range pair {
			if number == 0 {
				continue
			}
			var w walks
			base := r.crossings[number-1].corner + r.ways[s.wind].behind
			w.follow(r, s, seat, g, base, false, s.wind, most)
			var upTo [highestTile + 1]float32
			for st := 1; st <= most; st++ {
				for jj := middle - st; jj <= middle+st; jj++ {
					for sp := st; sp <= most; sp++ {
						upTo[sp] = max(upTo[sp], w.brings[st][jj][sp])
					}
				}
			}
			sofar := float32(1)
			waver := 1 + float32(keenness*(float64(rng.Float64())-0.5))
			for t := 1; t <= most; t++ {
				sofar = max(sofar, upTo[t])
				if b := (sofar - 1) * waver; tiles>>(t-1)&1 != 0 && (tree[t] == 0 || b > bring[t]) {
					bring[t], tree[t] = b, number
				}
			}
		}
	}
	mean, n := float32(0), float32(0)
	for t := 1; t <= most; t++ {
		if tree[t] != 0 {
			mean += bring[t]
			n += float32(t)
		}
	}
	mean /= n // what a leaf brings on average
	tile, high := 0, float32(0)
	for t := 1; t <= most; t++ {
		if tree[t] == 0 {
			continue
		}
		b := bring[t]
		if t == Squirrel {
			b *= float32(r.habit[habitFirm])
		}
		b = float32(b*(1+float32(keenness*(float64(rng.Float64())-0.5)))) - float32(mean*float32(r.habit[habitSpent]*float64(t))) + float32(r.habit[habitTile+t-1])
		if tile == 0 || b > high {
			tile, high = t, b
		}
	}
	c := r.crossings[tree[tile]-1]
	buf = append(buf, Move{Do: Shed, Piece: uint8(tile), Row: c.row, Column: c.column})
	if tile == Squirrel {
		return buf
	}
	var w walks
	w.follow(r, s, seat, g, c.corner+r.ways[s.wind].behind, false, s.wind, tile)
	return w.path(r, tile, buf)
}

// anyOf is one of the bits of a set.
func anyOf(set uint8, rng *rand.Rand) int {
	for n := rng.IntN(bits.OnesCount8(set)); n > 0; n-- {
		set &= set - 1
	}
	return bits.TrailingZeros8(set)
}
