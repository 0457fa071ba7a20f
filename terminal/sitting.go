package terminal

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"copse/game"
)

// sitting is one game from its start: who plays, and the line of play. It knows no
// game and shows nothing.
type sitting struct {
	seed   string
	humans int           // seats 0 to humans-1 are people
	bot    Bot           // who plays the other seats; nil where they play at random
	secret bool          // the game has secrets
	now    game.Position // the truth
	line   []ply

	planned   []json.RawMessage // what the bot to act has thought of and not yet done
	plannedAt int               // how long the line was when it was thought of
}

// ply is one move of a sitting.
type ply struct {
	by     game.Seat
	choice bool          // a person chose it among several moves
	before game.Position // the truth before it
	events []game.Event  // each for its audience
}

func sit(cfg *Config, seed string) (*sitting, error) {
	first, err := cfg.Game.Start(game.Settings{Seats: cfg.Seats, Options: cfg.Options})
	if err != nil {
		return nil, err
	}
	return &sitting{seed: seed, humans: cfg.Humans, bot: cfg.Bot, secret: first.Secrets(), now: first}, nil
}

func (s *sitting) person(seat game.Seat) bool { return seat >= 0 && int(seat) < s.humans }

// over tells whether the game has ended.
func (s *sitting) over() bool { return s.now.ToAct() == game.None }

// waits tells whether a person must choose among several moves now.
func (s *sitting) waits() bool {
	return s.person(s.now.ToAct()) && len(s.now.Moves()) > 1
}

// step makes the move of chance, of a seat that no person plays, or of a person who
// has no choice. The game must not be over.
func (s *sitting) step() error {
	seat := s.now.ToAct()
	if seat == game.Chance {
		draws := 0
		for _, p := range s.line {
			if p.by == game.Chance {
				draws++
			}
		}
		return s.play(seat, s.now.Draw(game.Seed{Secret: []byte(s.seed)}, draws), false)
	}
	if s.bot != nil && !s.person(seat) {
		if len(s.planned) == 0 || s.plannedAt != len(s.line) {
			planned, err := s.bot(s.now, fmt.Sprint(s.seed, " ", len(s.line)))
			if err != nil {
				return err
			}
			s.planned = planned
		}
		move := s.planned[0]
		s.planned, s.plannedAt = s.planned[1:], len(s.line)+1
		return s.play(seat, move, false)
	}
	moves := s.now.See(seat).Moves()
	return s.play(seat, moves[s.random().IntN(len(moves))], false)
}

// random is where the next move comes from if it is played at random. It depends on
// the seed and the number of moves before, so that a game that is taken back and
// played again goes on in the same way.
func (s *sitting) random() *rand.Rand {
	return rand.New(game.Seed{Secret: []byte(s.seed), Nonces: [][]byte{[]byte("player")}}.Numbers(len(s.line)))
}

// choose makes a person's move. It asks the view of that person first, so that a
// refusal tells nothing that the person may not know.
func (s *sitting) choose(seat game.Seat, move json.RawMessage) error {
	if _, _, err := s.now.See(seat).Play(seat, move); err != nil {
		return err
	}
	return s.play(seat, move, len(s.now.Moves()) > 1)
}

func (s *sitting) play(seat game.Seat, move json.RawMessage, choice bool) error {
	next, events, err := s.now.Play(seat, move)
	if err != nil {
		return err
	}
	s.line = append(s.line, ply{by: seat, choice: choice, before: s.now, events: events})
	s.now = next
	return nil
}

// undo goes back to where a person chose last. It tells how many moves were taken
// back, none where nobody has chosen yet, and whether chance made one of them:
// chance will make the same one again.
func (s *sitting) undo() (taken int, drawn bool) {
	for i := len(s.line) - 1; i >= 0; i-- {
		drawn = drawn || s.line[i].by == game.Chance
		if s.line[i].choice {
			taken = len(s.line) - i
			s.now = s.line[i].before
			s.line = s.line[:i]
			return taken, drawn
		}
	}
	return 0, false
}

// at is the position before ply number i, the present one at the end.
func (s *sitting) at(i int) game.Position {
	if i < len(s.line) {
		return s.line[i].before
	}
	return s.now
}

// turnBegan is the number of the first ply of the present turn, made or not.
func (s *sitting) turnBegan() int {
	i := len(s.line)
	for i > 0 && s.line[i-1].before.Turn() == s.now.Turn() {
		i--
	}
	return i
}

// fresh tells whether nobody has chosen anything in the present turn.
func (s *sitting) fresh() bool {
	return !slices.ContainsFunc(s.line[s.turnBegan():], func(p ply) bool { return p.choice })
}

// since is the position with which a viewer compares to see what is new: once it
// has chosen something in a turn, where the turn began; before that, where its own
// last turn ended.
func (s *sitting) since(viewer game.Seat) game.Position {
	i := s.turnBegan()
	if s.fresh() {
		for i > 0 && s.line[i-1].by != viewer {
			i--
		}
	}
	return s.at(i)
}

// heard is what viewer hears of the plies from number i on, turn by turn.
func (s *sitting) heard(i int, viewer game.Seat) [][]game.Event {
	var turns [][]game.Event
	turn := -1
	for _, p := range s.line[i:] {
		var events []game.Event
		for _, e := range p.events {
			if e.To.Has(viewer) {
				events = append(events, e)
			}
		}
		if len(events) == 0 {
			continue
		}
		if p.before.Turn() != turn {
			turn = p.before.Turn()
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], events...)
	}
	return turns
}
