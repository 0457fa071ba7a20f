// Package grandbois is the game GrandBois by Frédéric Guérard: a forest grows
// tile by tile, its clans cover one another, and nobody knows who plays which
// clan until the harvest. The numbers in comments are those of rules.en.md.
package grandbois

import (
	"cmp"

	"copse/game"
)

// Game is GrandBois as the rest of Copse meets it.
func Game() game.Definition[Position, Move] {
	standard := game.BoxHash(DefaultBox().written())
	return game.Definition[Position, Move]{
		About: game.About{
			Name:     "grandbois",
			MinSeats: 2,
			MaxSeats: 4,
			Version:  1,
			Options: []game.Option{
				{Name: "expert", Kind: "flag", Default: false},
				{Name: "box", Kind: "box", Default: standard},
			},
			Parts:   partNames(),
			Phrases: said(),
			Levels:  levels(),
			Texts:   texts,
			Box: func(raw game.RawMessage) (game.RawMessage, error) {
				box, err := ReadBox(raw)
				if err != nil {
					return nil, err
				}
				return box.written(), nil
			},
		},
		New: func(seats int, options game.RawMessage, _ int) (game.Playable[Position, Move], error) {
			o := game.ReadOptions(options)
			expert := o.Has("expert") && o.Flag("expert")
			raw, err := game.TheBox(o, standard)
			if err := cmp.Or(err, o.Done()); err != nil {
				return nil, err
			}
			box, err := ReadBox(raw)
			if err != nil {
				return nil, game.Inside("box", err)
			}
			r := New(seats, box, expert)
			r.usual = string(raw) == "{}"
			return r, nil
		},
	}
}

// Rules is the law of GrandBois for a number of seats, a box and the expert
// option. Everything in it is looked up, nothing changes.
type Rules struct {
	seats  int
	each   int // clans and towers of a seat (1.3, 1.4)
	expert bool
	tiles  int  // how many the box holds
	river  int  // how many lie in the river while the pile lasts
	planes int  // how many of a row decide what may cover it: clans only for experts
	usual  bool // the box is the one that comes with the game

	clan   [clans + 1]string     // names on the wire, by number
	habits habits                // of quick turns
	towers [game.MaxSeats]string // what each seat's towers are called

	tile  [64]tile // by id
	blank Position // before anything happened
}

// tile is a tile as it can lie.
type tile struct {
	turned   [4]turned // by clockwise quarter turns
	clearing bool      // it has one
	bears    int
	shows    [8]uint8 // by clan: on how many of its spaces
}

// turned is a tile that was turned so many times.
type turned struct {
	spaces [4]space      // clockwise from the top left
	class  [4]uint8      // what they may lie on, likewise
	planes [planes]uint8 // by plane: which spaces have this bit, 1 and 2 above, 4 and 8 below, from the left
	power  [3]uint8      // by plane, likewise: the highest kind that they may lie on
	clear  [2]int8       // where its clearing lies, from the top left space
}

// The classes of spaces, by what they may lie on besides bare ground. A single
// animal is like a clearing: it covers nothing but clearings. With the expert
// option spaces with more animals have a class for each clan.
const (
	weak   = iota // clearings
	two           // and single animals
	three         // and up to two animals
	four          // and up to three animals
	strong        // and any animals: a bear

	ofClans // from here on: two, three and four of each clan
	classes = ofClans + 3*clans
)

// classOf is the class of a space that lies above.
func classOf(over space, expert bool) uint8 {
	n := over.animals()
	switch {
	case over.kind() == bear:
		return strong
	case n < 2:
		return weak
	case expert:
		return uint8(ofClans + 3*(int(over.clan())-1) + n - 2)
	}
	return uint8(two + n - 2)
}

// power is the highest kind that a space may lie on (2.3 to 2.5).
func power(over space) space {
	switch n := over.animals(); {
	case over.kind() == bear:
		return bear - 1
	case n > 1:
		return animals(0, n-1)
	}
	return clearing
}

// New makes the rules for 2 to 4 seats and a box that ReadBox found good.
func New(seats int, box *Box, expert bool) *Rules {
	r := &Rules{seats: seats, each: 1, expert: expert, tiles: len(box.Tiles), river: box.RiverSize, planes: 3, habits: usualHabits()}
	if expert {
		r.planes = planes
	}
	if seats == 2 {
		r.each = 2
	}
	copy(r.clan[1:], box.Clans)
	copy(r.towers[:], box.Towers)
	for i, t := range box.Tiles {
		r.cut(i+1, box.spaces(t.Spaces))
	}
	r.plant(box.spaces(box.Start))
	return r
}

// cut makes a tile of the four spaces that the box lists.
func (r *Rules) cut(id int, listed [4]space) {
	t := &r.tile[id]
	for turn := range t.turned {
		lying := &t.turned[turn]
		for i := range lying.spaces {
			sp := listed[(i-turn+4)%4]
			step := corner(i)
			lying.spaces[i] = sp
			lying.class[i] = classOf(sp, r.expert)
			bit := step[0] + 2*step[1]
			for p := range lying.planes {
				lying.planes[p] |= uint8(sp>>p&1) << bit
			}
			for p := range lying.power {
				lying.power[p] |= uint8(power(sp)>>p&1) << bit
			}
			if sp == clearing {
				lying.clear, t.clearing = step, true
			}
		}
	}
	for _, sp := range listed {
		if sp.kind() == bear {
			t.bears++
		}
		if sp.animals() > 0 {
			t.shows[sp.clan()&7]++
		}
	}
}

// plant makes the position before anything happened: only the start tile lies
// in the forest (1.2).
func (r *Rules) plant(start [4]space) {
	s := &r.blank
	s.viewer = game.None
	s.phase = dealing
	s.pile = 1<<(r.tiles+1) - 2
	for seat := range r.seats {
		s.towers[seat] = uint8(r.each)
	}
	for i, sp := range start {
		step := corner(i)
		s.put(int(step[0]), int(step[1]), sp)
	}
	s.right, s.bottom = 1, 1
}
