package grandbois

import (
	"math/bits"

	"copse/game"
)

// The parts of a score, in the order in which ties are broken (4.5).
const (
	spaces = iota
	group
	towerOwn
	towerOthers
)

// partNames are the parts on the wire.
func partNames() []string { return []string{"spaces", "group", "towerOwn", "towerOthers"} }

// What counts how much (4.2, 4.3).
const (
	perSpace  = 1
	perGroup  = 2
	perOwn    = 2
	perOthers = 1
)

// of says, a bit for each column, where a row shows animals of a clan.
func (w *row) of(clan int) uint64 {
	same := w[1] ^ w[2] // animals
	for p := range 3 {
		if clan>>p&1 != 0 {
			same &= w[3+p]
		} else {
			same &^= w[3+p]
		}
	}
	return same
}

// tally is how many spaces show a clan, and how many of them are in its largest
// group (4.2). A row of the forest falls into runs of spaces side by side; runs
// of neighbouring rows that touch are joined.
func (s *Position) tally(clan int) (all, largest int) {
	var bitsOf [mostSpaces]uint64      // columns of each run
	var joined, size [mostSpaces]uint8 // to an earlier run of its group, or itself; spaces of the group, at its first run
	first := func(i int) int {
		for int(joined[i]) != i {
			i = int(joined[i])
		}
		return i
	}
	n, above := 0, 0 // runs so far; where those of the row above begin
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := bits.RotateLeft64(s.rows[rowOf(y)].of(clan), -int(s.left))
		here := n
		for w != 0 {
			run := w &^ (w + w&-w)
			w &^= run
			bitsOf[n], joined[n], size[n] = run, uint8(n), uint8(bits.OnesCount64(run))
			all += int(size[n])
			for i := above; i < here; i++ {
				if bitsOf[i]&run == 0 {
					continue
				}
				if a, b := first(i), first(n); a != b {
					a, b = min(a, b), max(a, b)
					joined[b] = uint8(a)
					size[a] += size[b]
				}
			}
			largest = max(largest, int(size[first(n)]))
			n++
		}
		above = here
	}
	return all, largest
}

// around is how many of the eight spaces around one show a clan of the set, a
// bit each, and how many show another (4.3).
func (s *Position) around(x, y int, clans uint8) (own, others int) {
	for row := y - 1; row <= y+1; row++ {
		w := &s.rows[rowOf(row)]
		var mine uint64
		for set := clans; set != 0; set &= set - 1 {
			mine |= w.of(bits.TrailingZeros8(set))
		}
		three := bits.RotateLeft64(7, x-1)
		own += bits.OnesCount64(mine & three)
		others += bits.OnesCount64((w[1] ^ w[2]) &^ mine & three)
	}
	return own, others
}

// towersIn says, a bit for each column, where towers stand in a row.
func (w *row) towersIn() uint64 { return w[0] & w[1] & w[2] }

// parts is the score of a seat by its clans, as far as they are known.
func (r *Rules) parts(s *Position, seat game.Seat) (parts [game.MaxParts]game.Points) {
	for set := s.clans[seat]; set != 0; set &= set - 1 {
		all, largest := s.tally(bits.TrailingZeros8(set))
		parts[spaces] += game.Points(perSpace * all)
		parts[group] += game.Points(perGroup * largest)
	}
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		for here := w.towersIn(); here != 0; here &= here - 1 {
			x := bits.TrailingZeros64(here) // on the ring
			if w.at(x).owner() != seat {
				continue
			}
			own, others := s.around(x, y, s.clans[seat])
			parts[towerOwn] += game.Points(perOwn * own)
			parts[towerOthers] += game.Points(perOthers * others)
		}
	}
	return parts
}

// Standing is the score as if the harvest came now. Only those who know a seat's
// clans know its score (1.5). Ties are broken part by part (4.5).
func (r *Rules) Standing(s *Position) game.Standing {
	st := game.Standing{Over: s.phase == over}
	known := true
	for seat := range game.Seat(r.seats) {
		score := &st.Seats[seat]
		if !r.knows(s, seat) {
			known = false
			for i := range score.Parts {
				score.Parts[i] = game.Unknown
			}
			score.Total = game.Unknown
			continue
		}
		score.Parts = r.parts(s, seat)
		for _, points := range score.Parts {
			score.Total += points
		}
	}
	if known {
		st.RankBy(r.seats, func(a, b game.Seat) bool { return ahead(&st.Seats[a], &st.Seats[b]) })
	}
	return st
}

// ahead tells whether one score ranks before another (4.5).
func ahead(a, b *game.Score) bool {
	if a.Total != b.Total {
		return a.Total > b.Total
	}
	for i := range a.Parts {
		if a.Parts[i] != b.Parts[i] {
			return a.Parts[i] > b.Parts[i]
		}
	}
	return false
}

// TieBreak is how two seats with the same total are told apart: by the first part
// of which one has more, or not at all (4.5).
func (r *Rules) TieBreak(s *Position, seat, other game.Seat) (string, game.Args) {
	mine, theirs := r.parts(s, seat), r.parts(s, other)
	args := game.Args{"seat": seat, "other": other, "rule": "4.5"}
	for i, part := range partNames() {
		if mine[i] != theirs[i] {
			args["part"], args["more"], args["less"] = part, int(mine[i]), int(theirs[i])
			return "grandbois.tie.part", args
		}
	}
	return "grandbois.tie.shared", args
}

// Sheet explains the standing: for each clan its spaces and its largest group,
// played or not, and for each tower the spaces around it. Where the clans of a
// seat are not known, its points are not either, not even that it has none; that
// a clan is one's own says that nobody else plays it.
func (r *Rules) Sheet(s *Position) []game.SheetLine {
	var lines []game.SheetLine
	for clan := 1; clan <= clans; clan++ {
		all := s.spacesOf(clan)
		largest := largestGroup(all)
		lines = append(lines,
			r.clanLine(s, partNames()[spaces], "grandbois.sheet.spaces", clan, all, perSpace),
			r.clanLine(s, partNames()[group], "grandbois.sheet.group", clan, largest, perGroup))
	}
	built := 0 // seats with a tower, a bit each
	for y := int(s.top); y <= int(s.bottom); y++ {
		for x := int(s.left); x <= int(s.right); x++ {
			if sp := s.at(x, y); sp.kind() == tower {
				lines = append(lines, r.towerLines(s, sp.owner(), x, y)...)
				built |= 1 << sp.owner()
			}
		}
	}
	for seat := range game.Seat(r.seats) {
		if !r.knows(s, seat) && built>>seat&1 == 0 {
			for _, part := range partNames()[towerOwn:] {
				line := game.SheetLine{Part: part, Key: "grandbois.sheet.tower.none", Args: game.Args{"seat": seat, "rule": "1.5"}}
				line.Points = make([]game.Points, r.seats)
				line.Points[seat] = game.Unknown
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// clanLine is a line of the sheet for some spaces of a clan.
func (r *Rules) clanLine(s *Position, part, key string, clan int, where [][2]int, each int) game.SheetLine {
	owner := r.ownerOf(s, clan)
	points := make([]game.Points, r.seats)
	for seat := range game.Seat(r.seats) {
		switch {
		case owner == seat:
			points[seat] = game.Points(each * len(where))
		case owner == game.None && !r.knows(s, seat):
			points[seat] = game.Unknown
		}
	}
	args := game.Args{"clan": r.clan[clan], "spaces": where, "count": len(where), "each": each, "rule": "4.2"}
	return game.SheetLine{Part: part, Key: key, Args: args, Points: points}
}

// ownerOf is who plays a clan, None where nobody does or it is not known.
func (r *Rules) ownerOf(s *Position, clan int) game.Seat {
	for seat := range game.Seat(r.seats) {
		if s.clans[seat]>>clan&1 != 0 {
			return seat
		}
	}
	return game.None
}

// towerLines are the lines of the sheet for the tower of a seat: own clans and
// others, or all together where the clans of the seat are not known.
func (r *Rules) towerLines(s *Position, seat game.Seat, x, y int) []game.SheetLine {
	own, others := [][2]int{}, [][2]int{}
	for py := y - 1; py <= y+1; py++ {
		for px := x - 1; px <= x+1; px++ {
			if sp := s.at(px, py); sp.animals() == 0 {
				continue
			} else if s.clans[seat]>>sp.clan()&1 != 0 {
				own = append(own, [2]int{px, py})
			} else {
				others = append(others, [2]int{px, py})
			}
		}
	}
	line := func(part int, key string, where [][2]int, each int) game.SheetLine {
		points := make([]game.Points, r.seats)
		points[seat] = game.Points(each * len(where))
		if !r.knows(s, seat) {
			points[seat] = game.Unknown
		}
		args := game.Args{"seat": seat, "x": x, "y": y, "spaces": where, "count": len(where), "each": each, "rule": "4.3"}
		return game.SheetLine{Part: partNames()[part], Key: key, Args: args, Points: points}
	}
	if !r.knows(s, seat) {
		return []game.SheetLine{
			line(towerOwn, "grandbois.sheet.tower.secret", others, perOwn),
			line(towerOthers, "grandbois.sheet.tower.secret", others, perOthers),
		}
	}
	return []game.SheetLine{
		line(towerOwn, "grandbois.sheet.tower.own", own, perOwn),
		line(towerOthers, "grandbois.sheet.tower.others", others, perOthers),
	}
}

// spacesOf lists where a clan shows, row by row.
func (s *Position) spacesOf(clan int) [][2]int {
	list := [][2]int{}
	for y := int(s.top); y <= int(s.bottom); y++ {
		for x := int(s.left); x <= int(s.right); x++ {
			if sp := s.at(x, y); sp.animals() > 0 && int(sp.clan()) == clan {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list
}

// largestGroup is the largest part of a list of spaces that is joined by sides;
// of several, the one that a reader meets first.
func largestGroup(all [][2]int) [][2]int {
	left := map[[2]int]bool{}
	for _, at := range all {
		left[at] = true
	}
	largest := [][2]int{}
	for _, from := range all {
		if !left[from] {
			continue
		}
		delete(left, from)
		joined := [][2]int{from}
		for i := 0; i < len(joined); i++ {
			x, y := joined[i][0], joined[i][1]
			for _, next := range [][2]int{{x, y - 1}, {x - 1, y}, {x + 1, y}, {x, y + 1}} {
				if left[next] {
					delete(left, next)
					joined = append(joined, next)
				}
			}
		}
		if len(joined) > len(largest) {
			largest = joined
		}
	}
	return largest
}

// Facts says what a screen shows beside a move: what a tile covers and adds,
// whether a tower may follow, what a tower would score and, for whoever knows the
// seat's clans, the total that the move leads to.
func (r *Rules) Facts(s *Position, seat game.Seat, m Move) game.Args {
	facts := game.Args{}
	switch m.do() {
	case Reveal:
		facts["spaces"] = r.words(r.tile[m.piece()].turned[0].spaces)
		return facts
	case Deal:
		return facts
	case Place:
		t := &r.tile[m.piece()].turned[m.turn()]
		covered := r.covered(s, t, m.x(), m.y())
		facts["covers"] = covered
		facts["adds"] = perTile - len(covered)
		facts["tower"] = r.mayBuild(s, m.piece())
	case Tower:
		x, y := r.clearingOf(s, int(s.count-1))
		facts["x"], facts["y"] = x, y
		if r.knows(s, seat) {
			own, others := s.around(x, y, s.clans[seat])
			facts["own"], facts["others"] = own, others
			facts["points"] = perOwn*own + perOthers*others
		}
	}
	if r.knows(s, seat) {
		next := *s
		r.Play(&next, seat, m, nil)
		total := game.Points(0)
		for _, points := range r.parts(&next, seat) {
			total += points
		}
		facts["total"] = total
	}
	return facts
}

// Covered is a space of the forest that a tile would cover.
type Covered struct {
	X     int    `json:"x"`
	Y     int    `json:"y"`
	Shows string `json:"shows"`
}

// covered lists what a tile would cover, clockwise from its top left.
func (r *Rules) covered(s *Position, t *turned, x, y int) []Covered {
	list := []Covered{}
	for i := range t.spaces {
		px, py := x+int(corner(i)[0]), y+int(corner(i)[1])
		if sp := s.at(px, py); sp != ground {
			list = append(list, Covered{px, py, r.word(sp)})
		}
	}
	return list
}
