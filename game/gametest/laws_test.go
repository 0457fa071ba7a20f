package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"copse/game"
)

func TestTinyKeepsTheLaws(t *testing.T) { Run(t, Tiny()) }

func TestTinyReplaysItsGames(t *testing.T) { Replay(t, Tiny(), "testdata/games") }

func FuzzTinyMoves(f *testing.F)   { FuzzMoves(f, Tiny()) }
func FuzzTinyViews(f *testing.F)   { FuzzViews(f, Tiny()) }
func FuzzTinyOptions(f *testing.F) { FuzzOptions(f, Tiny()) }
func FuzzTinyGames(f *testing.F)   { FuzzGames(f, Tiny()) }

func BenchmarkTiny(b *testing.B) {
	for seats := 2; seats <= game.MaxSeats; seats++ {
		b.Run(fmt.Sprintf("%d seats", seats), func(b *testing.B) { Bench(b, Tiny(), seats) })
	}
}

// planted is the tiny game with bugs: a method that is set takes the place of the
// game's own.
type planted struct {
	tiny
	start    func() Wood
	toAct    func(*Wood) game.Seat
	turn     func(*Wood) int
	moves    func(*Wood, game.Seat, []Deed) []Deed
	odds     func(*Wood, Deed) int
	number   func(Deed) uint64
	check    func(*Wood, game.Seat, Deed) error
	play     func(*Wood, game.Seat, Deed, *game.Log)
	standing func(*Wood) game.Standing
	see      func(*Wood, game.Seat, *Wood)
	reveals  func(*Wood, Deed) bool
	imagine  func(*Wood, game.Seat, *rand.Rand)
	heard    func(d Deed, by, to game.Seat) Deed
	sample   func(*Wood, game.Seat, *rand.Rand) Deed
	write    func([]byte, Deed) []byte
	read     func([]byte) (Deed, error)
	viewJSON func(*Wood) any
	readView func([]byte) (Wood, error)
	sheet    func(*Wood) []game.SheetLine
	facts    func(*Wood, game.Seat, Deed) game.Args
	tieBreak func(w *Wood, seat, other game.Seat) (string, game.Args)
}

func (p planted) TieBreak(w *Wood, seat, other game.Seat) (string, game.Args) {
	if p.tieBreak != nil {
		return p.tieBreak(w, seat, other)
	}
	return p.tiny.TieBreak(w, seat, other)
}

func (p planted) Start() Wood {
	if p.start != nil {
		return p.start()
	}
	return p.tiny.Start()
}

func (p planted) ToAct(w *Wood) game.Seat {
	if p.toAct != nil {
		return p.toAct(w)
	}
	return p.tiny.ToAct(w)
}

func (p planted) Turn(w *Wood) int {
	if p.turn != nil {
		return p.turn(w)
	}
	return p.tiny.Turn(w)
}

func (p planted) Moves(w *Wood, seat game.Seat, buf []Deed) []Deed {
	if p.moves != nil {
		return p.moves(w, seat, buf)
	}
	return p.tiny.Moves(w, seat, buf)
}

func (p planted) Odds(w *Wood, d Deed) int {
	if p.odds != nil {
		return p.odds(w, d)
	}
	return p.tiny.Odds(w, d)
}

func (p planted) Number(d Deed) uint64 {
	if p.number != nil {
		return p.number(d)
	}
	return uint64(d.Do)<<24 | uint64(uint8(d.Seat))<<16 | uint64(d.Nut)<<8 | uint64(d.Mushroom)
}

func (p planted) Check(w *Wood, seat game.Seat, d Deed) error {
	if p.check != nil {
		return p.check(w, seat, d)
	}
	return p.tiny.Check(w, seat, d)
}

func (p planted) Play(w *Wood, seat game.Seat, d Deed, log *game.Log) {
	if p.play != nil {
		p.play(w, seat, d, log)
		return
	}
	p.tiny.Play(w, seat, d, log)
}

func (p planted) Standing(w *Wood) game.Standing {
	if p.standing != nil {
		return p.standing(w)
	}
	return p.tiny.Standing(w)
}

func (p planted) See(w *Wood, seat game.Seat, view *Wood) {
	if p.see != nil {
		p.see(w, seat, view)
		return
	}
	p.tiny.See(w, seat, view)
}

func (p planted) Reveals(w *Wood, d Deed) bool {
	if p.reveals != nil {
		return p.reveals(w, d)
	}
	return p.tiny.Reveals(w, d)
}

func (p planted) Imagine(w *Wood, seat game.Seat, rng *rand.Rand) {
	if p.imagine != nil {
		p.imagine(w, seat, rng)
		return
	}
	p.tiny.Imagine(w, seat, rng)
}

func (p planted) Heard(d Deed, by, to game.Seat) Deed {
	if p.heard != nil {
		return p.heard(d, by, to)
	}
	return p.tiny.Heard(d, by, to)
}

func (p planted) Sample(w *Wood, seat game.Seat, rng *rand.Rand) Deed {
	if p.sample != nil {
		return p.sample(w, seat, rng)
	}
	return p.tiny.Sample(w, seat, rng)
}

func (p planted) AppendMove(dst []byte, d Deed) []byte {
	if p.write != nil {
		return p.write(dst, d)
	}
	return p.tiny.AppendMove(dst, d)
}

func (p planted) ReadMove(raw []byte) (Deed, error) {
	if p.read != nil {
		return p.read(raw)
	}
	return p.tiny.ReadMove(raw)
}

func (p planted) ViewJSON(w *Wood) any {
	if p.viewJSON != nil {
		return p.viewJSON(w)
	}
	return p.tiny.ViewJSON(w)
}

func (p planted) ReadView(raw []byte) (Wood, error) {
	if p.readView != nil {
		return p.readView(raw)
	}
	return p.tiny.ReadView(raw)
}

func (p planted) Sheet(w *Wood) []game.SheetLine {
	if p.sheet != nil {
		return p.sheet(w)
	}
	return p.tiny.Sheet(w)
}

func (p planted) Facts(w *Wood, seat game.Seat, d Deed) game.Args {
	if p.facts != nil {
		return p.facts(w, seat, d)
	}
	return p.tiny.Facts(w, seat, d)
}

// plant is the tiny game with one bug.
func plant(bug func(*planted)) game.Definition[Wood, Deed] {
	def := Tiny()
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[Wood, Deed], error) {
		if _, err := Tiny().New(seats, options, version); err != nil {
			return nil, err
		}
		p := planted{tiny: newTiny(seats)}
		bug(&p)
		return p, nil
	}
	return def
}

// bugs are what the laws must find, each with the law that must find it. Other laws
// may complain too.
var bugs = []struct {
	law  string
	bug  string
	sown func(*planted)
}{
	{"list", "a move is listed twice", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			buf = p.tiny.Moves(w, seat, buf)
			if w.Asked == AskRest && seat == p.tiny.ToAct(w) {
				buf = append(buf, Deed{Do: Nap})
			}
			return buf
		}
	}},
	{"list", "the buffer is overwritten", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			return p.tiny.Moves(w, seat, buf[:0])
		}
	}},
	{"list", "the order changes", func(p *planted) {
		var asked atomic.Int64
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			n := len(buf)
			buf = p.tiny.Moves(w, seat, buf)
			if asked.Add(1)%2 == 0 {
				slices.Reverse(buf[n:])
			}
			return buf
		}
	}},
	{"list", "a seat moves out of turn", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			if seat >= 0 && int(seat) < p.seats && w.Asked == AskNut {
				return append(buf, Deed{Do: Nap})
			}
			return p.tiny.Moves(w, seat, buf)
		}
	}},
	{"list", "a seat that is to act has no move", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			if w.Leaves == 2 && w.Asked == AskDeed {
				return buf
			}
			return p.tiny.Moves(w, seat, buf)
		}
	}},

	{"check", "a generous Check: digging into a full hollow", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if d == (Deed{Do: Dig}) && w.Asked == AskDeed && seat == p.tiny.ToAct(w) && w.Leaves > 0 {
				return nil
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "a generous Check: a field that means nothing may hold anything", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if d.Do == Nap {
				d = Deed{Do: Nap}
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "a generous Check: a watcher may shake too", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if seat == game.Watcher {
				seat = p.tiny.ToAct(w)
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "a stingy Check: the last mushroom may not be dried", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if d.Do == Dry && d.Mushroom == mushrooms {
				return game.Refuse("2.5", "tiny.dry.hollow", game.Args{"mushroom": d.Mushroom})
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "Check panics on random bytes", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			var dried [mushrooms + 1]bool
			if seat == p.tiny.ToAct(w) && d.Do == Dry && dried[d.Mushroom] {
				return errors.New("never")
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "Check panics on a seat beyond the table", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if seat >= 0 && w.Squirrels[seat].Hidden > room {
				return errors.New("never")
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"check", "Check refuses with prose", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if p.tiny.Check(w, seat, d) != nil {
				return errors.New("move refused for some reason")
			}
			return nil
		}
	}},
	{"check", "Check refuses with a nil *Refusal", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			var refusal *game.Refusal
			if p.tiny.Check(w, seat, d) != nil {
				return refusal
			}
			return nil
		}
	}},
	{"check", "a refusal is not declared", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if p.tiny.Check(w, seat, d) != nil {
				return game.Refuse("2.1", "tiny.no", nil)
			}
			return nil
		}
	}},
	{"check", "a refusal lacks an argument", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if p.tiny.Check(w, seat, d) != nil {
				return game.Refuse("1.1", "tiny.turn", nil)
			}
			return nil
		}
	}},
	{"check", "a refusal names no rule", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if p.tiny.Check(w, seat, d) != nil {
				return game.Refuse("", "tiny.over", nil)
			}
			return nil
		}
	}},

	{"asking", "Standing tidies up", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			w.Tree[0] = 1
			return p.tiny.Standing(w)
		}
	}},
	{"asking", "Facts tries the move out on the position itself", func(p *planted) {
		p.facts = func(w *Wood, seat game.Seat, d Deed) game.Args {
			p.tiny.Play(w, seat, d, nil)
			return game.Args{}
		}
	}},

	{"odds", "odds of 0", func(p *planted) {
		p.odds = func(w *Wood, d Deed) int {
			if d.Do == Fall {
				return int(w.Tree[d.Nut]) - 1
			}
			return 1
		}
	}},
	{"odds", "odds of 0 on views alone", func(p *planted) {
		p.odds = func(w *Wood, d Deed) int {
			if d.Do == Find && d.Mushroom == 0 {
				return 0
			}
			return p.tiny.Odds(w, d)
		}
	}},
	{"odds", "two outcomes with one number", func(p *planted) {
		p.number = func(d Deed) uint64 { return uint64(d.Nut / 2) }
	}},
	{"odds", "a number that is too large", func(p *planted) {
		p.number = func(d Deed) uint64 { return 1<<32 + uint64(d.Nut)<<8 + uint64(d.Mushroom) }
	}},
	{"sampler", "Sample misses a move", func(p *planted) {
		p.sample = func(w *Wood, seat game.Seat, rng *rand.Rand) Deed {
			if d := p.tiny.Sample(w, seat, rng); d.Do != Nap {
				return d
			}
			return Deed{Do: Dry, Mushroom: w.dryable(seat).first()}
		}
	}},
	{"sampler", "Sample prefers a move", func(p *planted) {
		p.sample = func(w *Wood, seat game.Seat, rng *rand.Rand) Deed {
			if w.Asked == AskDeed && rng.IntN(3) == 0 {
				return Deed{Do: Shake}
			}
			return p.tiny.Sample(w, seat, rng)
		}
	}},
	{"sampler", "Sample digs under no leaves", func(p *planted) {
		p.sample = func(w *Wood, seat game.Seat, rng *rand.Rand) Deed {
			if w.Asked == AskDeed && w.Leaves == 0 {
				return Deed{Do: Dig}
			}
			return p.tiny.Sample(w, seat, rng)
		}
	}},
	{"allocation", "Moves allocates", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			return append(buf, p.tiny.Moves(w, seat, nil)...)
		}
	}},
	{"allocation", "events are built that nobody hears", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			var deaf game.Log
			p.tiny.Play(w, seat, d, &deaf)
			if log != nil {
				log.Events = append(log.Events, deaf.Events...)
			}
		}
	}},

	{"turn", "Turn falls", func(p *planted) {
		p.turn = func(w *Wood) int {
			if w.Asked == AskRest {
				return max(int(w.Turns)-1, 0)
			}
			return int(w.Turns)
		}
	}},
	{"turn", "Turn counts twice", func(p *planted) {
		p.turn = func(w *Wood) int { return 2 * int(w.Turns) }
	}},
	{"turn", "Turn counts rounds", func(p *planted) {
		p.turn = func(w *Wood) int { return int(w.Turns) / p.seats }
	}},
	{"turn", "Turn counts from 1", func(p *planted) {
		p.turn = func(w *Wood) int { return int(w.Turns) + 1 }
	}},
	{"silence", "Play differs with a log", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if log != nil && d.Do == Nap {
				w.Tree[0]++
			}
		}
	}},
	{"phrases", "an event is not declared", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if log != nil && d.Do == Nap {
				log.Tell("tiny.snored", nil)
			}
		}
	}},
	{"phrases", "an event has an argument too many", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if log != nil && d.Do == Nap {
				log.Events[len(log.Events)-1].Args["loud"] = 1
			}
		}
	}},
	{"phrases", "an event cannot be written", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if log != nil && d.Do == Dig {
				log.Events[0].Args["seat"] = func() {}
			}
		}
	}},
	{"phrases", "a line of the sheet is not declared", func(p *planted) {
		p.sheet = func(w *Wood) []game.SheetLine {
			lines := p.tiny.Sheet(w)
			lines[0].Key = "tiny.sheet.hazelnuts"
			return lines
		}
	}},
	{"conserved", "a piece is lost: the nut rolls away", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			had := w.Squirrels[p.squirrel(w)].Nuts[chestnut]
			who := p.squirrel(w)
			p.tiny.Play(w, seat, d, log)
			if d.Do == Fall && d.Nut == chestnut && had == 1 {
				w.Squirrels[who].Nuts[chestnut] = 1
			}
		}
	}},
	{"replay", "Play is not deterministic", func(p *planted) {
		var plays atomic.Int64
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if plays.Add(1)%50 == 0 {
				w.Squirrels[0].Nuts[0]++
			}
		}
	}},
	{"replay", "Start is not always the same", func(p *planted) {
		var started atomic.Int64
		p.start = func() Wood {
			w := p.tiny.Start()
			if started.Add(1) > 20 {
				w.Tree[hazelnut]--
			}
			return w
		}
	}},
	{"end", "the game never ends: nuts grow again", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			w.Tree = p.tree
			w.Turns %= uint8(10 * p.seats)
		}
	}},
	{"end", "hollows stay shut in the snow", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			asked := w.Asked
			if w.Viewer != game.None {
				w.Asked = AskDeed
			}
			st := p.tiny.Standing(w)
			w.Asked, st.Over = asked, asked == AskNone
			return st
		}
	}},
	{"end", "Play panics", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			if d.Do == Boast && w.Leaves == 0 {
				panic("nobody thought of this")
			}
			p.tiny.Play(w, seat, d, log)
		}
	}},
	{"end", "Over before the end", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			st := p.tiny.Standing(w)
			st.Over = false
			return st
		}
	}},

	{"standing", "a Standing tells a secret: unknown points are 0", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			open := *w
			open.Viewer = game.None
			return p.tiny.Standing(&open)
		}
	}},
	{"standing", "a Standing ranks by what it cannot know", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			st := p.tiny.Standing(w)
			st.RankBy(p.seats, func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
			return st
		}
	}},
	{"standing", "the total forgets the hollow", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			st := p.tiny.Standing(w)
			for seat := range p.seats {
				st.Seats[seat].Total = st.Seats[seat].Parts[0] + st.Seats[seat].Parts[1]
			}
			return st
		}
	}},
	{"standing", "ranks go 1, 1, 2", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			st := p.tiny.Standing(w)
			for seat := range p.seats {
				if st.Seats[seat].Rank == 3 {
					st.Seats[seat].Rank = 2
				}
			}
			return st
		}
	}},
	{"standing", "the game is over while somebody is to act", func(p *planted) {
		p.standing = func(w *Wood) game.Standing {
			st := p.tiny.Standing(w)
			st.Over = w.nuts() == 0
			return st
		}
	}},
	{"ties", "what breaks a tie is not declared", func(p *planted) {
		p.tieBreak = func(w *Wood, seat, other game.Seat) (string, game.Args) {
			_, args := p.tiny.TieBreak(w, seat, other)
			return "tiny.tie.bough", args
		}
	}},
	{"ties", "a tie is told of the wrong seats", func(p *planted) {
		p.tieBreak = func(w *Wood, seat, other game.Seat) (string, game.Args) {
			key, args := p.tiny.TieBreak(w, seat, other)
			args["seat"], args["other"] = other, seat
			return key, args
		}
	}},
	{"ties", "a tie cites no rule", func(p *planted) {
		p.tieBreak = func(w *Wood, seat, other game.Seat) (string, game.Args) {
			key, args := p.tiny.TieBreak(w, seat, other)
			args["rule"] = ""
			return key, args
		}
	}},
	{"ties", "a rank is shared, and yet somebody is said to be ahead", func(p *planted) {
		p.tieBreak = func(w *Wood, seat, other game.Seat) (string, game.Args) {
			key, args := p.tiny.TieBreak(w, seat, other)
			if seat < other {
				key = "tiny.tie.branch"
			}
			return key, args
		}
	}},
	{"sheet", "a wrong sheet: a chestnut scores 2", func(p *planted) {
		p.sheet = func(w *Wood) []game.SheetLine {
			lines := p.tiny.Sheet(w)
			for seat := range lines[chestnut-1].Points {
				lines[chestnut-1].Points[seat] = 2 * game.Points(w.Squirrels[seat].Nuts[chestnut])
			}
			return lines
		}
	}},
	{"sheet", "a sheet of a view knows less than its standing", func(p *planted) {
		p.sheet = func(w *Wood) []game.SheetLine {
			lines := p.tiny.Sheet(w)
			if w.Viewer != game.None {
				lines = lines[:len(lines)-1]
			}
			return lines
		}
	}},

	{"view", "a view of a view is another", func(p *planted) {
		p.see = func(w *Wood, seat game.Seat, view *Wood) {
			p.tiny.See(w, seat, view)
			if w.Viewer != game.None {
				view.Tree[0]++
			}
		}
	}},
	{"own view", "the own view has the moves in another order", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			n := len(buf)
			buf = p.tiny.Moves(w, seat, buf)
			if w.Viewer == seat && w.Asked == AskRest {
				slices.Reverse(buf[n:])
			}
			return buf
		}
	}},
	{"own view", "a refusal tells who holds the mushroom", func(p *planted) {
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			for i := range w.Squirrels {
				if d.Do == Dry && game.Seat(i) != seat && w.Squirrels[i].Hollow.has(d.Mushroom) {
					return game.Refuse("2.5", "tiny.turn", game.Args{"seat": i})
				}
			}
			return p.tiny.Check(w, seat, d)
		}
	}},
	{"heard", "a Heard that tells", func(p *planted) {
		p.heard = func(d Deed, _, _ game.Seat) Deed { return d }
	}},
	{"heard", "a view thinks too little possible", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			n := len(buf)
			buf = p.tiny.Moves(w, seat, buf)
			if w.Viewer != game.None && w.Viewer != seat && w.Asked == AskRest && seat >= 0 {
				buf = slices.DeleteFunc(buf, func(d Deed) bool { return d.Mushroom == 3 })
			}
			return buf[:max(n, len(buf))]
		}
	}},
	{"possible", "a view thinks everything possible", func(p *planted) {
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			if seat == p.tiny.ToAct(w) && w.Asked == AskRest && !w.open(seat) {
				for number := range uint8(mushrooms) {
					buf = append(buf, Deed{Do: Dry, Mushroom: number + 1})
				}
				return append(buf, Deed{Do: Nap})
			}
			return p.tiny.Moves(w, seat, buf)
		}
	}},
	{"discreet", "a Heard that tells and views that hear it and forget it", func(p *planted) {
		p.heard = func(d Deed, _, _ game.Seat) Deed { return d }
		p.moves = func(w *Wood, seat game.Seat, buf []Deed) []Deed {
			if seat == game.Chance && w.Asked == AskFind {
				for set := w.unseen(); set != 0; set = set.rest() {
					buf = append(buf, Deed{Do: Find, Seat: p.squirrel(w), Mushroom: set.first()})
				}
				return buf
			}
			return p.tiny.Moves(w, seat, buf)
		}
		p.check = func(w *Wood, seat game.Seat, d Deed) error {
			if seat == game.Chance && w.Asked == AskFind && slices.Contains(p.moves(w, seat, nil), d) {
				return nil
			}
			return p.tiny.Check(w, seat, d)
		}
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			if d.Do == Find && !w.open(d.Seat) {
				d.Mushroom = 0
			}
			p.tiny.Play(w, seat, d, log)
		}
	}},
	{"commute", "a leak in See: others' hollows", func(p *planted) {
		p.see = func(w *Wood, seat game.Seat, view *Wood) {
			p.tiny.See(w, seat, view)
			for i := range p.seats {
				view.Squirrels[i].Hollow = w.Squirrels[i].Hollow
			}
		}
	}},
	{"twins", "a leak in See: which mushrooms lie under the leaves", func(p *planted) {
		p.see = func(w *Wood, seat game.Seat, view *Wood) {
			p.tiny.See(w, seat, view)
			view.Tree[0] = w.Tree[0]
			if w.Viewer == game.None && w.Asked == AskRest {
				view.Tree[0] = uint8(w.unseen())
			}
		}
		p.imagine = func(w *Wood, seat game.Seat, rng *rand.Rand) {
			told := w.Tree[0]
			for range 100 {
				world := *w
				world.Tree[0] = 0
				p.tiny.Imagine(&world, seat, rng)
				if uint8(world.unseen()) == told || told == 0 {
					*w = world
					return
				}
			}
			p.tiny.Imagine(w, seat, rng)
		}
	}},
	{"commute", "Play forgets the nut on views", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if w.Viewer != game.None && d.Do == Fall {
				w.Tree[d.Nut]++
			}
		}
	}},
	{"echo", "Play tells nothing on views", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			if w.Viewer != game.None {
				log = nil
			}
			p.tiny.Play(w, seat, d, log)
		}
	}},
	{"record", "a boast is not said to reveal", func(p *planted) {
		p.reveals = func(w *Wood, d Deed) bool { return d.Do != Boast && p.tiny.Reveals(w, d) }
	}},
	{"existence", "a leak by existence: asked to dry only with a good mushroom", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			who := p.squirrel(w)
			p.tiny.Play(w, seat, d, log)
			if w.Asked == AskRest && w.Squirrels[who].Hollow < only(5) {
				p.endTurn(w, nil)
			}
		}
	}},
	{"existence", "a leak by existence: an event only for a good mushroom", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if d.Do == Find && d.Mushroom >= 5 && log != nil {
				log.Tell("tiny.shook", game.Args{"seat": d.Seat})
			}
		}
	}},
	{"existence", "a Reveals that depends on a secret", func(p *planted) {
		p.reveals = func(w *Wood, d Deed) bool {
			return p.tiny.Reveals(w, d) && (d.Do != Boast || w.Squirrels[p.squirrel(w)].Hollow > 8)
		}
	}},
	{"existence", "a view does not know whose turn it is", func(p *planted) {
		p.toAct = func(w *Wood) game.Seat {
			if w.Viewer == game.Watcher && w.Asked == AskFind {
				return game.None
			}
			return p.tiny.ToAct(w)
		}
	}},
	{"twins", "a leak in an event: everyone hears what was found", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if d.Do == Find && log != nil {
				log.Events[0].To = game.Everyone
			}
		}
	}},
	{"twins", "a leak in an event: a nap tells how well the squirrel sleeps", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			who := p.squirrel(w)
			p.tiny.Play(w, seat, d, log)
			if d.Do == Nap && log != nil {
				log.Events[0].Args["seat"] = int(w.Squirrels[who].Hollow)
			}
		}
	}},
	{"twins", "a leak in who hears an event", func(p *planted) {
		p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
			p.tiny.Play(w, seat, d, log)
			if d.Do == Find && d.Mushroom >= 5 && log != nil {
				log.Events[1].To |= game.Only(d.Seat)
			}
		}
	}},
	{"guess", "a leak in See: the worth of a hollow", func(p *planted) {
		p.see = func(w *Wood, seat game.Seat, view *Wood) {
			p.tiny.See(w, seat, view)
			for i := range p.seats {
				view.Squirrels[i].Nuts[0] = max(w.Squirrels[i].Nuts[0], uint8(w.hollowPoints(game.Seat(i))))
			}
		}
	}},
	{"guess", "an Imagine that does not fit: it moves the viewer's mushrooms too", func(p *planted) {
		p.imagine = func(w *Wood, seat game.Seat, rng *rand.Rand) {
			for i := range w.Squirrels {
				w.Squirrels[i].Hollow = 0
			}
			w.Viewer = game.Watcher
			p.tiny.Imagine(w, seat, rng)
		}
	}},
	{"guess", "an Imagine that leaves hollows empty", func(p *planted) {
		p.imagine = func(w *Wood, _ game.Seat, _ *rand.Rand) { w.Viewer = game.None }
	}},
	{"guess", "an Imagine that puts the same mushroom into two hollows", func(p *planted) {
		p.imagine = func(w *Wood, _ game.Seat, rng *rand.Rand) {
			unseen := w.unseen()
			for i := range game.Seat(p.seats) {
				for !w.open(i) && w.Squirrels[i].Hollow.size() < int(w.Squirrels[i].Hidden) {
					w.Squirrels[i].Hollow |= only(unseen.pick(rng))
				}
			}
			w.Viewer = game.None
			if w.unseen().size() != int(w.Leaves) {
				w.Leaves = uint8(w.unseen().size())
			}
		}
	}},
	{"variety", "a constant Imagine", func(p *planted) {
		p.imagine = func(w *Wood, seat game.Seat, _ *rand.Rand) {
			p.tiny.Imagine(w, seat, rand.New(rand.NewPCG(1, 2)))
		}
	}},
	{"uniform", "a biased Imagine: it likes small mushrooms", func(p *planted) {
		p.imagine = func(w *Wood, seat game.Seat, rng *rand.Rand) {
			one, two := *w, *w
			p.tiny.Imagine(&one, seat, rng)
			p.tiny.Imagine(&two, seat, rng)
			*w = one
			if two.unseen() > one.unseen() {
				*w = two
			}
		}
	}},
	{"uniform", "an Imagine that never thinks of the truth", func(p *planted) {
		p.imagine = func(w *Wood, seat game.Seat, rng *rand.Rand) {
			for range 20 {
				world := *w
				p.tiny.Imagine(&world, seat, rng)
				if *w = world; !world.Squirrels[0].Hollow.has(8) {
					return
				}
				w.Viewer = seat
				p.tiny.See(&world, seat, w)
			}
			w.Viewer = game.None
		}
	}},

	{"json", "a move does not survive JSON", func(p *planted) {
		p.write = func(dst []byte, d Deed) []byte {
			if d.Do == Find {
				d.Mushroom = 0
			}
			return p.tiny.AppendMove(dst, d)
		}
	}},
	{"json", "AppendMove forgets what was there", func(p *planted) {
		p.write = func(_ []byte, d Deed) []byte { return p.tiny.AppendMove(nil, d) }
	}},
	{"json", "a heard move cannot be read", func(p *planted) {
		p.read = func(raw []byte) (Deed, error) {
			d, err := p.tiny.ReadMove(raw)
			if err == nil && d.Do == Find && d.Mushroom == 0 {
				return Deed{}, game.Blame("json.missing", game.Args{"field": "mushroom"})
			}
			return d, err
		}
	}},
	{"json", "a view does not survive JSON", func(p *planted) {
		p.readView = func(raw []byte) (Wood, error) {
			w, err := p.tiny.ReadView(raw)
			w.Turns = w.Turns / 2 * 2
			return w, err
		}
	}},
	{"json", "the bytes of a view change", func(p *planted) {
		var written atomic.Int64
		p.viewJSON = func(w *Wood) any {
			return map[string]any{"wood": p.tiny.ViewJSON(w), "written": written.Add(1)}
		}
	}},
	{"open", "a view that is seen again forgets a turn", func(p *planted) {
		p.see = func(w *Wood, seat game.Seat, view *Wood) {
			p.tiny.See(w, seat, view)
			if w.Viewer != game.None && view.Turns > 2 {
				view.Turns--
			}
		}
	}},
	{"faults", "ReadMove panics on garbage", func(p *planted) {
		p.read = func(raw []byte) (Deed, error) {
			if raw[0] != '{' {
				return Deed{}, game.Blame("json.object", nil)
			}
			return p.tiny.ReadMove(raw)
		}
	}},
	{"faults", "ReadMove answers with another's error", func(p *planted) {
		p.read = func(raw []byte) (Deed, error) {
			if err := json.Unmarshal(raw, &struct{}{}); err != nil {
				return Deed{}, err
			}
			return p.tiny.ReadMove(raw)
		}
	}},
	{"faults", "ReadView answers with an undeclared fault", func(p *planted) {
		p.readView = func(raw []byte) (Wood, error) {
			w, err := p.tiny.ReadView(raw)
			if err != nil {
				err = game.Blame("tiny.view", nil)
			}
			return w, err
		}
	}},
	{"faults", "ReadView trusts the number of squirrels", func(p *planted) {
		p.readView = func(raw []byte) (Wood, error) {
			var v woodJSON
			if json.Unmarshal(raw, &v) == nil && v.Squirrels[0].Hidden > room {
				return Wood{}, game.Blame("json.object", nil)
			}
			return p.tiny.ReadView(raw)
		}
	}},
	{"faults", "ReadView takes any word for what is asked", func(p *planted) {
		p.readView = func(raw []byte) (Wood, error) {
			w, err := p.tiny.ReadView(raw)
			var v woodJSON
			if err != nil && json.Unmarshal(raw, &v) == nil {
				if w, wrong := p.restore(&v); wrong == "asked" {
					return w, nil
				}
			}
			return w, err
		}
	}},
}

func TestPlantedBugsAreCaught(t *testing.T) {
	for _, b := range bugs {
		t.Run(b.law+"/"+b.bug, func(t *testing.T) { mustBreak(t, b.law, plant(b.sown)) })
	}
}

func TestTypesThatAreNotPlainAreCaught(t *testing.T) {
	t.Run("a hidden pointer", func(t *testing.T) {
		mustBreak(t, "types", of[struct {
			Turns int64
			cache *int
		}, Deed]())
	})
	t.Run("padding inside", func(t *testing.T) {
		mustBreak(t, "types", of[struct {
			Seat game.Seat
			Sum  int32
		}, Deed]())
	})
	t.Run("padding at the end", func(t *testing.T) {
		mustBreak(t, "types", of[struct {
			Wood [2]struct {
				Sum  int32
				Seat game.Seat
			}
		}, Deed]())
	})
	t.Run("a flag in a move", func(t *testing.T) {
		mustBreak(t, "types", of[Wood, struct {
			Deed
			loud bool
		}]())
	})
	t.Run("a word in a move", func(t *testing.T) { mustBreak(t, "types", of[Wood, struct{ Do string }]()) })
	t.Run("a float", func(t *testing.T) { mustBreak(t, "types", of[[3]float32, Deed]()) })
	t.Run("an interface", func(t *testing.T) { mustBreak(t, "types", of[[3]any, Deed]()) })
}

// of is a game of these types that is never played.
func of[S, M comparable]() game.Definition[S, M] {
	return game.Definition[S, M]{
		About: Tiny().About,
		New: func(int, json.RawMessage, int) (game.Playable[S, M], error) {
			panic("a game with such types is asked for its rules")
		},
	}
}

func TestWrongSettingsAreCaught(t *testing.T) {
	wrong := map[string]func(*game.Definition[Wood, Deed]){
		"options are not read": func(def *game.Definition[Wood, Deed]) {
			def.New = func(seats int, _ json.RawMessage, _ int) (game.Playable[Wood, Deed], error) {
				return newTiny(seats), nil
			}
		},
		"options are read by luck": func(def *game.Definition[Wood, Deed]) {
			def.New = func(seats int, options json.RawMessage, _ int) (game.Playable[Wood, Deed], error) {
				var none map[string]any
				if err := json.Unmarshal(options, &none); err != nil {
					return nil, err
				}
				return newTiny(seats), nil
			}
		},
		"a number of seats is not served": func(def *game.Definition[Wood, Deed]) { def.MinSeats, def.MaxSeats = 5, 5 },
		"a phrase is declared twice": func(def *game.Definition[Wood, Deed]) {
			def.Phrases = append(def.Phrases, game.Say("tiny.snowed"))
		},
		"an option is not served": func(def *game.Definition[Wood, Deed]) {
			def.Options = []game.Option{{Name: "winter", Kind: "flag", Default: false}}
		},
		"the box is written differently every time": func(def *game.Definition[Wood, Deed]) {
			def.Box = func(raw json.RawMessage) (json.RawMessage, error) { return append(raw, ' '), nil }
		},
	}
	for bug, sow := range wrong {
		t.Run(bug, func(t *testing.T) {
			def := Tiny()
			sow(&def)
			mustBreak(t, "settings", def)
		})
	}
}

// ajar is a broken door: a method that is set takes the place of its own. A bug in
// the rules would not show as a bug of game.Of, which asks the same rules, so here
// game.Of itself is wrapped.
type ajar struct {
	game.Position
	bug *doorBug
}

type doorBug struct {
	play    func(p game.Position, seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error)
	moves   func(game.Position) []json.RawMessage
	facts   func(game.Position) []game.Args
	see     func(game.Position, game.Seat) game.Position
	view    func(game.Position) json.RawMessage
	draw    func(game.Position, game.Seed, int) json.RawMessage
	one     func(game.Position) game.Standing
	sheet   func(game.Position) []game.SheetLine
	secrets func() bool
	viewer  func() game.Seat
	turn    func(game.Position) int
	toAct   func(game.Position) game.Seat
	heard   func(p game.Position, move json.RawMessage, by, to game.Seat) (json.RawMessage, error)
	reveals func(game.Position, json.RawMessage) bool
}

func (a ajar) wrap(p game.Position) game.Position { return ajar{p, a.bug} }

func (a ajar) Play(seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
	play := a.bug.play
	if play == nil {
		play = game.Position.Play
	}
	next, events, err := play(a.Position, seat, move)
	if err != nil {
		return nil, nil, err
	}
	return a.wrap(next), events, nil
}

func (a ajar) See(seat game.Seat) game.Position {
	if a.bug.see != nil {
		return a.wrap(a.bug.see(a.Position, seat))
	}
	return a.wrap(a.Position.See(seat))
}

func (a ajar) Heard(move json.RawMessage, by, to game.Seat) (json.RawMessage, error) {
	if a.bug.heard != nil {
		return a.bug.heard(a.Position, move, by, to)
	}
	return a.Position.Heard(move, by, to)
}

func (a ajar) Reveals(move json.RawMessage) bool {
	if a.bug.reveals != nil {
		return a.bug.reveals(a.Position, move)
	}
	return a.Position.Reveals(move)
}

func (a ajar) Moves() []json.RawMessage {
	if a.bug.moves != nil {
		return a.bug.moves(a.Position)
	}
	return a.Position.Moves()
}

func (a ajar) Facts() []game.Args {
	if a.bug.facts != nil {
		return a.bug.facts(a.Position)
	}
	return a.Position.Facts()
}

func (a ajar) View() json.RawMessage {
	if a.bug.view != nil {
		return a.bug.view(a.Position)
	}
	return a.Position.View()
}

func (a ajar) Draw(seed game.Seed, k int) json.RawMessage {
	if a.bug.draw != nil {
		return a.bug.draw(a.Position, seed, k)
	}
	return a.Position.Draw(seed, k)
}

func (a ajar) Standing() game.Standing {
	if a.bug.one != nil {
		return a.bug.one(a.Position)
	}
	return a.Position.Standing()
}

func (a ajar) Sheet() []game.SheetLine {
	if a.bug.sheet != nil {
		return a.bug.sheet(a.Position)
	}
	return a.Position.Sheet()
}

func (a ajar) Secrets() bool {
	if a.bug.secrets != nil {
		return a.bug.secrets()
	}
	return a.Position.Secrets()
}

func (a ajar) Viewer() game.Seat {
	if a.bug.viewer != nil {
		return a.bug.viewer()
	}
	return a.Position.Viewer()
}

func (a ajar) Turn() int {
	if a.bug.turn != nil {
		return a.bug.turn(a.Position)
	}
	return a.Position.Turn()
}

func (a ajar) ToAct() game.Seat {
	if a.bug.toAct != nil {
		return a.bug.toAct(a.Position)
	}
	return a.Position.ToAct()
}

// ajarGame makes such doors.
type ajarGame struct {
	game.Game
	bug *doorBug
}

func (g ajarGame) Start(set game.Settings) (game.Position, error) {
	p, err := g.Game.Start(set)
	return ajar{p, g.bug}, err
}

func (g ajarGame) Open(set game.Settings, viewer game.Seat, view json.RawMessage) (game.Position, error) {
	p, err := g.Game.Open(set, viewer, view)
	return ajar{p, g.bug}, err
}

func TestADoorThatDoesNotShutIsCaught(t *testing.T) {
	find := func(bug doorBug) (laws []string) {
		door := func(g game.Game) game.Game { return ajarGame{g, &bug} }
		for _, v := range sit(Tiny(), tables(Tiny())[0], Config{Games: 4, Until: "door", door: door}).found {
			laws = append(laws, v.Law.Name)
		}
		return laws
	}
	if laws := find(doorBug{}); laws != nil {
		t.Fatalf("a door without a bug breaks %v", laws)
	}
	for name, bug := range map[string]doorBug{
		"another move is played": {play: func(p game.Position, seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
			if list := p.Moves(); seat == p.ToAct() {
				move = list[0]
			}
			return p.Play(seat, move)
		}},
		"a move is refused": {play: func(p game.Position, seat game.Seat, _ json.RawMessage) (game.Position, []game.Event, error) {
			return p.Play(seat, json.RawMessage(`{}`))
		}},
		"a viewer hears what is not for it": {play: func(p game.Position, seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
			next, events, err := p.Play(seat, move)
			if p.Viewer() == game.Watcher && strings.Contains(string(move), "find") {
				events = append(events, game.Event{Key: "tiny.found", Args: game.Args{}, To: game.Only(0)})
			}
			return next, events, err
		}},
		"a viewer hears nothing": {play: func(p game.Position, seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
			next, events, err := p.Play(seat, move)
			if p.Viewer() != game.None {
				events = nil
			}
			return next, events, err
		}},
		"seats beyond the table are told": {play: func(p game.Position, seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
			next, events, err := p.Play(seat, move)
			for i := range events {
				if events[i].To != game.Everyone {
					events[i].To |= game.Only(3)
				}
			}
			return next, events, err
		}},
		"moves come in another order": {moves: func(p game.Position) []json.RawMessage {
			list := p.Moves()
			slices.Reverse(list)
			return list
		}},
		"a move is missing": {moves: func(p game.Position) []json.RawMessage { return p.Moves()[min(1, len(p.Moves())):] }},
		"a fact is missing": {facts: func(p game.Position) []game.Args { return p.Facts()[min(1, len(p.Facts())):] }},
		"facts of another move": {facts: func(p game.Position) []game.Args {
			list := p.Facts()
			slices.Reverse(list)
			return list
		}},
		"that a move reveals is not said": {facts: func(p game.Position) []game.Args {
			list := p.Facts()
			for _, facts := range list {
				delete(facts, "reveals")
			}
			return list
		}},
		"every move is said to reveal": {facts: func(p game.Position) []game.Args {
			list := p.Facts()
			for _, facts := range list {
				facts["reveals"] = true
			}
			return list
		}},
		"everyone hears a secret": {heard: func(_ game.Position, move json.RawMessage, _, _ game.Seat) (json.RawMessage, error) {
			return move, nil
		}},
		"the finder hears no more than others": {heard: func(p game.Position, move json.RawMessage, by, _ game.Seat) (json.RawMessage, error) {
			return p.Heard(move, by, game.Watcher)
		}},
		"no move is said to turn a secret open": {reveals: func(game.Position, json.RawMessage) bool { return false }},
		"a viewer sees the truth":               {see: func(p game.Position, _ game.Seat) game.Position { return p }},
		"a viewer sees what a watcher sees":     {see: func(p game.Position, _ game.Seat) game.Position { return p.See(game.Watcher) }},
		"a view says nothing":                   {view: func(game.Position) json.RawMessage { return json.RawMessage(`{}`) }},
		"chance draws something else": {draw: func(p game.Position, seed game.Seed, k int) json.RawMessage {
			return p.Draw(seed, k+3)
		}},
		"the standing is that of a watcher": {one: func(p game.Position) game.Standing { return p.See(game.Watcher).Standing() }},
		"the sheet is that of a watcher":    {sheet: func(p game.Position) []game.SheetLine { return p.See(game.Watcher).Sheet() }},
		"secrets are denied":                {secrets: func() bool { return false }},
		"a view is said to be the truth":    {viewer: func() game.Seat { return game.None }},
		"a turn too many":                   {turn: func(p game.Position) int { return p.Turn() + 1 }},
		"somebody else is to act":           {toAct: func(game.Position) game.Seat { return 0 }},
	} {
		if laws := find(bug); !slices.Contains(laws, "door") {
			t.Errorf("%s: the law %q did not fire", name, "door")
		}
	}
}

func TestEveryLawHasAPlantedBug(t *testing.T) {
	caught := map[string]bool{"types": true, "settings": true, "door": true} // the tests above have caught these
	for _, b := range bugs {
		caught[b.law] = true
	}
	for _, law := range Laws() {
		if !caught[law.Name] {
			t.Errorf("no bug is planted that the law %q must find", law.Name)
		}
	}
}

func TestAViolationSaysWhereItWasFound(t *testing.T) {
	found := Check(plant(func(p *planted) {
		p.turn = func(w *Wood) int { return int(w.Turns) / p.seats }
	}), Config{Games: 1})
	if n := len(found); n == 0 || n > enough*(game.MaxSeats-1) {
		t.Fatalf("%d violations were found", n)
	}
	v := found[0]
	var moves []struct {
		Seat any            `json:"seat"`
		Move map[string]any `json:"move"`
	}
	if err := json.Unmarshal(v.Moves, &moves); err != nil || len(moves) != v.Ply {
		t.Errorf("the game so far is not told (%v): %s", err, v.Moves)
	}
	if v.Law.Name != "turn" || v.Seats != 2 || v.Game != 1 || v.Ply == 0 || v.Detail == "" {
		t.Errorf("%+v", v)
	}
	for _, want := range []string{"turn", v.Law.Says, "2 seats", "game 1", v.Detail, string(v.Moves)} {
		if !strings.Contains(v.String(), want) {
			t.Errorf("%q is not said: %v", want, v)
		}
	}
}

func TestTheSameSeedFindsTheSame(t *testing.T) {
	find := func() []Violation {
		return Check(plant(func(p *planted) {
			p.imagine = func(w *Wood, seat game.Seat, rng *rand.Rand) {
				rng.Uint64()
				p.tiny.Imagine(w, (seat+1)%2, rand.New(rand.NewPCG(1, 2)))
			}
		}), Config{Games: 1, Seed: 7})
	}
	if one, two := find(), find(); len(one) == 0 || !reflect.DeepEqual(one, two) {
		t.Errorf("%d violations, and then others:\n%v\n%v", len(one), one, two)
	}
}

// mustBreak makes sure that the law finds the bug.
func mustBreak[S, M comparable](t *testing.T, law string, def game.Definition[S, M]) {
	t.Helper()
	var others []string
	for _, set := range tables(def) {
		for _, v := range sit(def, set, Config{Until: law}).found {
			if v.Law.Name == law {
				t.Logf("caught: %s", v.Detail)
				return
			}
			others = append(others, v.Law.Name)
		}
	}
	slices.Sort(others)
	t.Errorf("the law %q did not fire; others did: %v", law, slices.Compact(others))
}
