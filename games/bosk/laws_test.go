package bosk

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"copse/game"
	"copse/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Game()) }

// plantedRules is Bosk with a bug: a method that is set stands in for its own.
type plantedRules struct {
	*Rules
	check func(*Position, game.Seat, Move) error
	play  func(*Position, game.Seat, Move, *game.Log)
	turn  func(*Position) int
	moves func(*Position, game.Seat, []Move) []Move
	sheet func(*Position) []game.SheetLine
	view  func(*Position) any
}

func (p *plantedRules) Check(s *Position, seat game.Seat, m Move) error {
	if p.check != nil {
		return p.check(s, seat, m)
	}
	return p.Rules.Check(s, seat, m)
}

func (p *plantedRules) Play(s *Position, seat game.Seat, m Move, log *game.Log) {
	if p.play != nil {
		p.play(s, seat, m, log)
		return
	}
	p.Rules.Play(s, seat, m, log)
}

func (p *plantedRules) Turn(s *Position) int {
	if p.turn != nil {
		return p.turn(s)
	}
	return p.Rules.Turn(s)
}

func (p *plantedRules) Moves(s *Position, seat game.Seat, buf []Move) []Move {
	if p.moves != nil {
		return p.moves(s, seat, buf)
	}
	return p.Rules.Moves(s, seat, buf)
}

func (p *plantedRules) Sheet(s *Position) []game.SheetLine {
	if p.sheet != nil {
		return p.sheet(s)
	}
	return p.Rules.Sheet(s)
}

func (p *plantedRules) ViewJSON(s *Position) any {
	if p.view != nil {
		return p.view(s)
	}
	return p.Rules.ViewJSON(s)
}

// TestTheLawsFindBugsInBosk plants bugs that could well be made, each for the
// law that must find it; others may complain too.
func TestTheLawsFindBugsInBosk(t *testing.T) {
	for _, b := range []struct {
		law, bug string
		sow      func(*plantedRules)
	}{
		{"check", "a generous Check: the wind board with any row", func(p *plantedRules) {
			p.check = func(s *Position, seat game.Seat, m Move) error {
				if m.Do == Call {
					m.Row = 0
				}
				return p.Rules.Check(s, seat, m)
			}
		}},
		{"check", "a stingy Check: no leaf on the last row", func(p *plantedRules) {
			p.check = func(s *Position, seat game.Seat, m Move) error {
				if m.Do == Leaf && int(m.Row) == p.side-1 {
					return game.Refuse("5.3", "bosk.leaf.outside", game.Args{"to": [2]int{int(m.Row), int(m.Column)}})
				}
				return p.Rules.Check(s, seat, m)
			}
		}},
		{"list", "a tile is listed twice", func(p *plantedRules) {
			p.moves = func(s *Position, seat game.Seat, buf []Move) []Move {
				had := len(buf)
				if buf = p.Rules.Moves(s, seat, buf); len(buf) > had && s.phase == shedding {
					buf = append(buf, buf[had])
				}
				return buf
			}
		}},
		{"conserved", "a leaf is lost when a pile is covered", func(p *plantedRules) {
			p.play = func(s *Position, seat game.Seat, m Move, log *game.Log) {
				covers := m.Do == Leaf && s.square[at(m.Row, m.Column)].height() > 0
				p.Rules.Play(s, seat, m, log)
				if covers {
					s.supply[seat]--
				}
			}
		}},
		{"turn", "Turn falls", func(p *plantedRules) {
			p.turn = func(s *Position) int {
				if s.phase == falling {
					return int(s.turn) - 1
				}
				return int(s.turn)
			}
		}},
		{"silence", "Play differs with a log", func(p *plantedRules) {
			p.play = func(s *Position, seat game.Seat, m Move, log *game.Log) {
				p.Rules.Play(s, seat, m, log)
				if log != nil && m.Do == Call {
					s.summer[seat]++
				}
			}
		}},
		{"phrases", "an event is not declared", func(p *plantedRules) {
			p.play = func(s *Position, seat game.Seat, m Move, log *game.Log) {
				p.Rules.Play(s, seat, m, log)
				if log != nil && m.Do == Run {
					log.Tell("bosk.event.ran", nil)
				}
			}
		}},
		{"sheet", "a sheet is off by one", func(p *plantedRules) {
			p.sheet = func(s *Position) []game.SheetLine {
				lines := p.Rules.Sheet(s)
				if s.round > 0 {
					last := &lines[len(lines)-1]
					last.Points[0]++
				}
				return lines
			}
		}},
		{"json", "a view forgets a field", func(p *plantedRules) {
			p.view = func(s *Position) any {
				v := p.Rules.ViewJSON(s).(View)
				if v.Path != nil {
					v.Path.Laid = 0
				}
				return v
			}
		}},
	} {
		t.Run(b.law+"/"+b.bug, func(t *testing.T) {
			def := Game()
			made := def.New
			def.New = func(seats int, options json.RawMessage, version int) (game.Playable[Position, Move], error) {
				r, err := made(seats, options, version)
				if err != nil {
					return nil, err
				}
				p := &plantedRules{Rules: r.(*Rules)}
				b.sow(p)
				return p, nil
			}
			def.MaxSeats = 2 // one table is enough
			var found []string
			for _, v := range gametest.Check(def, gametest.Config{Games: 2, Until: b.law}) {
				found = append(found, v.Law.Name)
			}
			if !slices.Contains(found, b.law) {
				t.Errorf("the law %q did not fire; others did: %v", b.law, slices.Compact(found))
			}
		})
	}
}

// TestGolden replays whole games that were played once and must go the same
// way for ever.
func TestGolden(t *testing.T) { gametest.Replay(t, Game(), "testdata/games") }

func TestAPositionIsSmall(t *testing.T) {
	size := unsafe.Sizeof(Position{})
	t.Logf("a position takes %d bytes", size)
	if size >= 1024 {
		t.Error("a copy should stay under 1 KiB")
	}
}

// BenchmarkGames plays whole random games with the complete list of moves at
// every ply.
func BenchmarkGames(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("%d-seats", seats), func(b *testing.B) { gametest.Bench(b, Game(), seats) })
	}
}
