package arena

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"copse/bot"
	"copse/game"
)

// SelfPlayConfig says which games are played to learn from.
type SelfPlayConfig struct {
	Seats    int
	Player   string // the player in every seat
	Options  json.RawMessage
	Games    int
	Playouts int     // by which every position is judged that is written
	Part     float64 // of the turns at whose beginning positions are written
	Stray    float64 // how often a turn begins a few that are played as playouts play
	Seed     string  // the same seed brings the same file, on any number of cores
	Cores    int     // 0 for all there are
	Progress func(finished int)
}

// lesson is the header of a file of positions to learn from: one line of JSON, then
// rows. A row is, the lowest byte first, the number of its game (32 bits), the seat,
// the turn (16 bits each), its features (16 bits each) and what came of it as four
// float32: lead and win of the playouts, lead and win of the game itself; the last two
// are NaN for positions that the game did not come to, or after which it strayed.
type lesson struct {
	Copse    string          `json:"copse"`
	Format   int             `json:"format"`
	For      string          `json:"for"`               // see game.Featurer
	Options  json.RawMessage `json:"options,omitempty"` // of the game, where there are any
	Seats    int             `json:"seats"`
	Inputs   int             `json:"inputs"` // how many features there are
	Player   string          `json:"player"`
	Playouts int             `json:"playouts"`
	Part     float64         `json:"part"`
	Stray    float64         `json:"stray"`
	Seed     string          `json:"seed"`
	Games    int             `json:"games"`
}

// errBlind says that nothing can be learned.
var errBlind error = &Unfit{"there are no nets for such a table, so nothing can be learned there: the game, its options or its box count nothing that a net could judge by"}

// chosen are those options that are not as usual; nil where all are.
func (a arena[S, M]) chosen(options json.RawMessage) (json.RawMessage, error) {
	if len(options) == 0 {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(options, &all); err != nil {
		return nil, err
	}
	for _, o := range a.game.About().Options {
		usual, err := json.Marshal(o.Default)
		if err != nil {
			return nil, err
		}
		if value, ok := all[o.Name]; ok && string(value) == string(usual) {
			delete(all, o.Name)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return json.Marshal(all)
}

// SelfPlay plays games among players of one kind and writes positions of them, with
// what came of them, to learn from.
func (a arena[S, M]) SelfPlay(ctx context.Context, cfg SelfPlayConfig, out io.Writer) (games int, err error) {
	t, err := newTables(a.game, []string{cfg.Player}, cfg.Options, cfg.Seed, -1, cfg.Seats)
	if err != nil {
		return 0, err
	}
	rules, err := a.def.Rules(game.Settings{Seats: cfg.Seats, Options: cfg.Options})
	if err != nil {
		return 0, err
	}
	features, ok := rules.(game.Featurer[S])
	if !ok || features.Trained() == "" {
		return 0, errBlind
	}
	if _, err := judgeOfLessons(rules, cfg); err != nil { // before anything is written
		return 0, err
	}
	first := rules.Start()
	chosen, err := a.chosen(cfg.Options)
	if err != nil {
		return 0, err
	}
	head := lesson{
		Copse: "lesson", Format: 1, For: features.Trained(), Options: chosen, Seats: cfg.Seats, Inputs: len(features.Features(&first, 0, nil)),
		Player: cfg.Player, Playouts: cfg.Playouts, Part: cfg.Part, Stray: cfg.Stray, Seed: cfg.Seed, Games: cfg.Games,
	}
	raw, err := json.Marshal(head)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(out, 1<<20)
	defer func() {
		if late := w.Flush(); err == nil { // else it may be what failed before
			err = late
		}
	}()
	if _, err := w.Write(append(raw, '\n')); err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil { // what cannot be written is better known now
		return 0, err
	}
	cores := cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0))
	type done struct {
		rows []byte
		err  error
	}
	ends := make(chan chan done, 4*cores) // in the order of the games
	working, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer close(ends)
		slots := make(chan struct{}, cores)
		for n := range cfg.Games {
			end := make(chan done, 1)
			select {
			case slots <- struct{}{}:
			case <-working.Done():
				return
			}
			wg.Go(func() {
				rows, err := a.lessons(working, t, rules, features, cfg, n)
				<-slots
				end <- done{rows, err}
			})
			ends <- end
		}
	})
	over := false // a game is missing, so none may follow
	for end := range ends {
		got := <-end
		if over {
			continue
		}
		if got.err == nil {
			_, err = w.Write(got.rows)
		} else if ctx.Err() == nil {
			err = got.err
		}
		if over = got.err != nil || err != nil; over {
			stop()
		} else if games++; cfg.Progress != nil {
			cfg.Progress(games)
		}
	}
	return games, err
}

// judgeOfLessons is who judges every position that is written.
func judgeOfLessons[S, M comparable](rules game.Playable[S, M], cfg SelfPlayConfig) (bot.Judge[S], error) {
	return bot.JudgeOf(rules, "playouts:"+strconv.Itoa(cfg.Playouts))
}

// lessons plays one game and writes rows of it.
func (a arena[S, M]) lessons(ctx context.Context, at *tables, rules game.Playable[S, M], features game.Featurer[S], cfg SelfPlayConfig, n int) ([]byte, error) {
	judge, err := judgeOfLessons(rules, cfg)
	if err != nil {
		return nil, err
	}
	l := &learning[S, M]{rules: rules, features: features, judge: judge, s: rules.Start(), turn: -1, game: n, part: cfg.Part, rng: rand.New(rand.NewPCG(uint64(n), 11))}
	away := &straying{often: cfg.Stray, seen: -1, last: -1, rng: rand.New(rand.NewPCG(uint64(n), 12))}
	l.planner, _ = rules.(game.Planner[S, M])
	t := *at
	t.scale = func(string) scale { return l }
	if cfg.Stray > 0 {
		t.instead = away.who
	}
	res, err := t.play(ctx, &group{deal: strconv.Itoa(n), players: slices.Repeat([]string{cfg.Player}, cfg.Seats), once: true}, 0)
	if err != nil {
		return nil, err
	}
	if len(res.Illegal) > 0 {
		return nil, fmt.Errorf("game %d: %s is illegal: %s", n, res.Illegal[0].Move, res.Illegal[0].Why)
	}
	for _, r := range l.rows { // what came of it is known now
		lead, win := float32(math.NaN()), float32(math.NaN())
		if r.real && r.turn > away.last {
			lead, win = float32(res.lead(r.seat)), float32(res.share(r.seat))
		}
		at := r.end - 8
		binary.LittleEndian.PutUint32(l.raw[at:], math.Float32bits(lead))
		binary.LittleEndian.PutUint32(l.raw[at+4:], math.Float32bits(win))
	}
	return l.raw, nil
}

// straying has games leave, now and then, what good players come to: for some turns
// everyone plays as playouts do. Those who search judge what such turns lead to, so a
// net must have seen how good players go on from there. Only of positions after the
// last such turn does the end of the game tell what they were worth.
type straying struct {
	often float64
	until int // the turn from which on everyone plays as usual
	seen  int // the last turn that was asked for
	last  int // the last turn that was played so; -1 for none
	rng   *rand.Rand
}

// longestStray is for how many turns games leave at most, and strays who plays them.
const (
	longestStray = 6
	strays       = "level:1/hasty=1"
)

// who is the player of a turn where games leave; empty elsewhere.
func (a *straying) who(turn int) string {
	if turn != a.seen {
		a.seen = turn
		if turn >= a.until && a.rng.Float64() < a.often {
			a.until = turn + 1 + a.rng.IntN(longestStray)
		}
	}
	if turn >= a.until {
		return ""
	}
	a.last = turn
	return strays
}

// learning is a scale that writes positions of a game.
type learning[S, M comparable] struct {
	rules    game.Playable[S, M]
	features game.Featurer[S]
	planner  game.Planner[S, M]
	judge    bot.Judge[S]
	s        S
	turn     int // the last that was looked at; -1 for none
	game     int
	part     float64
	rng      *rand.Rand
	raw      []byte
	rows     []rowEnd
	buf      []int16
	moves    []M
}

// rowEnd is where a row ends, and of whom it is.
type rowEnd struct {
	end, seat, turn int
	real            bool // the game came to it
}

func (l *learning[S, M]) hear(by game.Seat, move json.RawMessage) {
	if turn := l.rules.Turn(&l.s); by >= 0 && turn != l.turn {
		l.turn = turn
		if l.rng.Float64() < l.part {
			l.write(&l.s, true)
			if other, ok := l.elsewhere(); ok {
				l.write(&other, false)
			}
		}
	}
	m, err := l.rules.ReadMove(move)
	if err != nil {
		panic("arena: the rules cannot read their own move: " + err.Error())
	}
	l.rules.Play(&l.s, by, m, nil)
}

func (l *learning[S, M]) weighed() (*weighed, error) { return &weighed{}, nil }

// elsewhere is a position near the one of the game, one or two quick turns away: what a
// search compares. So a net learns not only from what good players come to.
func (l *learning[S, M]) elsewhere() (s S, ok bool) {
	if l.planner == nil {
		return s, false
	}
	s = l.s
	last := l.rules.Turn(&s) + 1 + l.rng.IntN(2)
	for l.rules.Turn(&s) < last {
		switch seat := l.rules.ToAct(&s); seat {
		case game.None:
			return s, false
		case game.Chance:
			l.moves = l.rules.Moves(&s, seat, l.moves[:0])
			l.rules.Play(&s, seat, game.Outcome(l.rules, &s, l.moves, l.rng), nil)
		default:
			l.moves = l.planner.Plan(&s, seat, l.rng, l.moves[:0])
			for _, m := range l.moves {
				l.rules.Play(&s, seat, m, nil)
			}
		}
	}
	for l.rules.ToAct(&s) == game.Chance {
		l.moves = l.rules.Moves(&s, game.Chance, l.moves[:0])
		l.rules.Play(&s, game.Chance, game.Outcome(l.rules, &s, l.moves, l.rng), nil)
	}
	return s, l.rules.ToAct(&s) != game.None
}

// write writes a row for every seat.
func (l *learning[S, M]) write(s *S, real bool) {
	var out [game.MaxSeats]bot.Foretold
	l.judge(s, l.rng.Uint64(), &out)
	for seat := range l.rules.Seats() {
		l.buf = l.features.Features(s, game.Seat(seat), l.buf[:0])
		l.raw = binary.LittleEndian.AppendUint32(l.raw, uint32(l.game))
		l.raw = binary.LittleEndian.AppendUint16(l.raw, uint16(seat))
		l.raw = binary.LittleEndian.AppendUint16(l.raw, uint16(l.rules.Turn(s)))
		for _, x := range l.buf {
			l.raw = binary.LittleEndian.AppendUint16(l.raw, uint16(x))
		}
		for _, y := range [4]float64{out[seat].Lead, out[seat].Win} {
			l.raw = binary.LittleEndian.AppendUint32(l.raw, math.Float32bits(float32(y)))
		}
		l.rows = append(l.rows, rowEnd{len(l.raw), seat, l.rules.Turn(s), real})
	}
}
