package gametest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"copse/game"
)

const (
	mostPlies   = 10_000 // a game that is longer does not end
	enough      = 2      // violations of one law at one table, after which it is not checked there any more
	closeLooks  = 24     // positions of a game at which costly laws are held
	closeTries  = 8      // moves that are tried out at such a position
	playedPlies = 600    // how many plies the games of a table should have together
)

// table is one player count with one choice of options, at which games are played
// and laws are held.
type table[S, M comparable] struct {
	def        game.Definition[S, M]
	set        game.Settings
	rules      game.Playable[S, M]
	door       game.Game // the same with its types forgotten
	book       []law[S, M]
	viewers    []game.Seat         // every seat and a watcher
	askers     []game.Seat         // everyone who might ask, also those who have no seat here
	phrases    map[string][]string // what the game and the faults may say
	met        []M                 // moves of other positions
	vocabulary []string            // words of the wire
	seed       uint64
	until      string // the law after whose first violation nothing more is asked
	games      int
	length     int // about how many plies a game has
	longest    int // after how many plies a game is given up

	pcg *rand.PCG
	rng *rand.Rand // begins anew for every law at every position

	sitting *sitting[S, M]
	found   []Violation
	broken  map[string]int
	excuses map[string]string // why a law does not apply to this game
}

// sitting is one game as far as it has come.
type sitting[S, M comparable] struct {
	kinds   map[string]bool // of moves that came up
	game    int
	played  []game.Heard[M]
	first   S
	records []game.Record[S, M] // by viewer
	door    game.Position       // the position with its types forgotten, after the same moves
	shut    error               // why that position could not go on
	turn    int                 // before the last move
	actor   game.Seat           // the player who acted in that turn
}

// moment is a position of a game and what may come next.
type moment[S, M comparable] struct {
	*table[S, M]
	s       S
	by      game.Seat
	list    []M
	views   []S         // by viewer
	tries   []try[S, M] // the first is how the game goes on
	closely bool        // costly laws are held here

	twins  []*S           // by viewer, where already imagined
	worlds [][]guessed[S] // by viewer, where already counted
}

// guessed is a world behind a view, and how often it was guessed.
type guessed[S any] struct {
	world S
	times int
}

// try is a move and what comes of it.
type try[S, M comparable] struct {
	m       M
	next    S
	log     game.Log
	views   []S // of next, by viewer
	reveals bool
}

// sit holds the laws at one table.
func sit[S, M comparable](def game.Definition[S, M], set game.Settings, cfg Config) *table[S, M] {
	pcg := rand.NewPCG(cfg.Seed, 0)
	t := &table[S, M]{
		def:     def,
		set:     set,
		door:    game.Of(def),
		book:    book[S, M](),
		viewers: []game.Seat{game.Watcher},
		askers:  []game.Seat{game.Chance, game.None, game.Watcher, game.Seat(set.Seats), game.MaxSeats, 127, -4, -128},
		phrases: map[string][]string{},
		seed:    cfg.Seed,
		until:   cfg.Until,
		games:   cfg.Games,
		longest: mostPlies,
		pcg:     pcg,
		rng:     rand.New(pcg),
		broken:  map[string]int{},
		excuses: map[string]string{},
	}
	if cfg.door != nil {
		t.door = cfg.door(t.door)
	}
	for seat := range game.Seat(set.Seats) {
		t.viewers = append(t.viewers, seat)
		t.askers = append(t.askers, seat)
	}
	for _, phrase := range slices.Concat(def.Phrases, game.Faults()) {
		t.phrases[phrase.Key] = slices.Sorted(slices.Values(phrase.Args))
	}
	for i, l := range t.book {
		if l.unless != nil && t.rules != nil {
			if why := l.unless(t); why != "" {
				t.excuses[l.Name] = why
				continue
			}
		}
		if l.atTable != nil {
			t.hold(i, func() error { return l.atTable(t) })
		}
		if l.Name == "settings" && t.rules == nil || t.broken["types"] > 0 {
			return t
		}
	}
	if t.length == 0 { // games do not end, and a law has said so
		t.length, t.longest = 100, 500
	}
	if t.games == 0 {
		t.games = min(max(playedPlies/t.length, 2), 20)
		if string(set.Options) != "{}" { // fewer games: the usual options have been tried
			t.games = max(t.games/3, 1)
		}
	}
	for n := range t.games {
		if t.broken[t.until] > 0 {
			break
		}
		t.play(n + 1)
	}
	t.sitting = nil
	return t
}

// play plays one random game, chance's outcomes all as likely, and holds the
// laws at every position.
func (t *table[S, M]) play(number int) {
	walk := &walk{rand.New(rand.NewPCG(t.seed^uint64(t.set.Seats), uint64(number))), number % 3}
	t.sitting = &sitting[S, M]{game: number, actor: game.None, kinds: map[string]bool{}}
	var s S
	going := t.step(func() {
		s = t.rules.Start()
		t.sitting.first = s
		t.enter(game.None, *new(M))
		for _, viewer := range t.viewers {
			t.sitting.records = append(t.sitting.records, game.Begin(t.rules, &s, viewer))
		}
	})
	for going {
		var p *moment[S, M]
		if !t.step(func() { p = t.look(s, walk) }) {
			return
		}
		for i, l := range t.book {
			if t.excuses[l.Name] != "" {
				continue
			}
			if l.always != nil {
				t.hold(i, func() error { return l.always(p) })
			}
			if l.often != nil && p.closely {
				t.hold(i, func() error { return l.often(p) })
			}
		}
		if len(p.tries) == 0 || len(t.sitting.played) >= t.longest || t.broken[t.until] > 0 {
			return
		}
		going = t.step(func() { t.remember(p) })
		s = p.tries[0].next
	}
}

// walk is how a game is played: at random, and in two games of three with a leaning
// to the first or to the last moves of every list, which leads to unusual
// positions.
type walk struct {
	*rand.Rand
	leaning int
}

func (w *walk) pick(n int) int {
	switch w.leaning {
	case 2:
		return min(w.IntN(n), w.IntN(n))
	case 0:
		return max(w.IntN(n), w.IntN(n))
	}
	return w.IntN(n)
}

// look finds out all that is needed of a position: who is to act, what everyone
// sees, and what some of the moves lead to.
func (t *table[S, M]) look(s S, walk *walk) *moment[S, M] {
	p := &moment[S, M]{
		table:  t,
		s:      s,
		by:     t.rules.ToAct(&s),
		twins:  make([]*S, len(t.viewers)),
		worlds: make([][]guessed[S], len(t.viewers)),
	}
	p.list = t.rules.Moves(&s, p.by, nil)
	for _, viewer := range t.viewers {
		p.views = append(p.views, t.see(&s, viewer))
	}
	ply := len(t.sitting.played)
	p.closely = walk.IntN(t.length) < closeLooks || ply < 2 || p.by == game.None || t.newKind(p.list)
	if len(p.list) == 0 || p.by == game.None {
		return p
	}
	picks := []int{walk.pick(len(p.list))}
	for p.closely && len(picks) < min(closeTries, len(p.list)) {
		if i := walk.IntN(len(p.list)); !slices.Contains(picks, i) {
			picks = append(picks, i)
		}
	}
	for _, i := range picks {
		p.tries = append(p.tries, t.try(&s, p.by, p.list[i]))
	}
	return p
}

// newKind tells whether moves of this kind come up for the first time in this game,
// so that even what is decided once in a game is looked at closely.
func (t *table[S, M]) newKind(list []M) bool {
	if len(list) == 0 {
		return false
	}
	kind := game.ReadObject(t.rules.AppendMove(nil, list[0])).Text("do")
	if t.sitting.kinds[kind] {
		return false
	}
	t.sitting.kinds[kind] = true
	return true
}

// try plays a move on a copy of s.
func (t *table[S, M]) try(s *S, by game.Seat, m M) try[S, M] {
	next := try[S, M]{m: m, next: *s, reveals: t.rules.Reveals(s, m)}
	t.rules.Play(&next.next, by, m, &next.log)
	for _, viewer := range t.viewers {
		next.views = append(next.views, t.see(&next.next, viewer))
	}
	return next
}

// remember plays the first of the moves that were tried.
func (t *table[S, M]) remember(p *moment[S, M]) {
	next := &p.tries[0]
	sitting := t.sitting
	if turn := t.rules.Turn(&p.s); turn != sitting.turn {
		sitting.turn, sitting.actor = turn, game.None
	}
	if p.by >= 0 {
		sitting.actor = p.by
	}
	for i := range sitting.records {
		sitting.records[i].Hear(t.rules, &p.s, &next.next, p.by, next.m)
	}
	t.enter(p.by, next.m)
	sitting.played = append(sitting.played, game.Heard[M]{By: p.by, Move: next.m})
	t.meet(p)
}

// meet keeps some moves, as they are made and as they are heard, to check them
// elsewhere.
func (t *table[S, M]) meet(p *moment[S, M]) {
	const most = 256
	m := p.list[len(t.sitting.played)%len(p.list)]
	for _, viewer := range t.viewers {
		heard := game.Hear(t.rules, m, p.by, viewer)
		if slices.Contains(t.met, heard) {
			continue
		}
		if len(t.met) < most {
			t.met = append(t.met, heard)
		} else {
			t.met[len(t.sitting.played)%most] = heard
		}
	}
}

// hold holds one law, unless it was broken often enough. A panic breaks it too.
func (t *table[S, M]) hold(number int, ask func() error) {
	l := t.book[number]
	if t.broken[l.Name] >= enough {
		return
	}
	place := t.seed
	if t.sitting != nil {
		place ^= uint64(t.sitting.game)<<32 ^ uint64(len(t.sitting.played))
	}
	t.pcg.Seed(place, uint64(number)<<8^uint64(t.set.Seats))
	if err := calmly(ask); err != nil {
		t.note(l.Law, err)
	}
}

// step goes a step on in a game. A step that fails ends the game early.
func (t *table[S, M]) step(on func()) bool {
	err := calmly(func() error { on(); return nil })
	if err != nil {
		last := slices.IndexFunc(t.book, func(l law[S, M]) bool { return l.Name == "end" })
		t.note(t.book[last].Law, err)
	}
	return err == nil
}

func (t *table[S, M]) note(l Law, err error) {
	t.broken[l.Name]++
	v := Violation{Law: l, Seats: t.set.Seats, Options: t.set.Options, Detail: err.Error()}
	if t.sitting != nil {
		v.Game, v.Ply, v.Moves = t.sitting.game, len(t.sitting.played), t.story()
	}
	t.found = append(t.found, v)
}

// story is the game so far in JSON.
func (t *table[S, M]) story() (text json.RawMessage) {
	type entry struct {
		Seat game.Seat       `json:"seat"`
		Move json.RawMessage `json:"move"`
	}
	list := []entry{}
	for _, h := range t.sitting.played {
		list = append(list, entry{h.By, t.words(h.Move)})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Appendf(nil, "%+v", t.sitting.played)
	}
	return text
}

// words is a move as JSON, or as Go prints it where that fails.
func (t *table[S, M]) words(m M) (text json.RawMessage) {
	err := calmly(func() error {
		text = t.rules.AppendMove(nil, m)
		return nil
	})
	if err != nil || !json.Valid(text) {
		text, _ = json.Marshal(fmt.Sprintf("%+v", m))
	}
	return text
}

// calmly turns a panic into an error.
func calmly(ask func() error) (err error) {
	defer func() {
		if caught := recover(); caught != nil {
			lines := strings.Split(string(debug.Stack()), "\n")
			at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "panic(") })
			from := max(at, 0)
			err = fmt.Errorf("panic: %v\n%s", caught, strings.Join(lines[from:min(from+10, len(lines))], "\n"))
		}
	}()
	return ask()
}

// without says that a game lacks an optional interface.
func without[I any, S, M comparable](t *table[S, M]) string {
	if _, ok := any(t.rules).(I); ok {
		return ""
	}
	name, _, _ := strings.Cut(reflect.TypeFor[I]().Name(), "[")
	return "the game has no " + name
}

func (t *table[S, M]) see(s *S, viewer game.Seat) S {
	var view S
	t.rules.See(s, viewer, &view)
	return view
}

func (t *table[S, M]) after(s *S, by game.Seat, m M) (S, game.Log) {
	next, log := *s, game.Log{}
	t.rules.Play(&next, by, m, &log)
	return next, log
}

// imagine is a guess at the world behind a view.
func (t *table[S, M]) imagine(view *S, viewer game.Seat) S {
	world := *view
	t.rules.Imagine(&world, viewer, t.rng)
	return world
}

// declared makes sure that a phrase is declared with exactly these arguments
// and can be sent.
func (t *table[S, M]) declared(key string, args game.Args) error {
	names := make([]string, 0, len(args))
	for name := range args {
		names = append(names, name)
	}
	slices.Sort(names)
	want, ok := t.phrases[key]
	if !ok {
		return fmt.Errorf("%q is not declared in Phrases", key)
	}
	if !slices.Equal(want, names) {
		return fmt.Errorf("%q is said with arguments %q and declared with %q", key, names, want)
	}
	if _, err := json.Marshal(args); err != nil {
		return fmt.Errorf("arguments of %q cannot be written: %w", key, err)
	}
	return nil
}

// outlook is the truth or a view of it, for laws that hold on all of them.
type outlook[S any] struct {
	name string
	s    S
}

// outlooks are the truth and every view.
func (p *moment[S, M]) outlooks() []outlook[S] {
	list := []outlook[S]{{"the truth", p.s}}
	for i, viewer := range p.viewers {
		list = append(list, outlook[S]{fmt.Sprintf("the view of %v", viewer), p.views[i]})
	}
	return list
}

// twin is a world that looks to a viewer like the truth. There is none where
// guesses do not fit, which another law finds.
func (p *moment[S, M]) twin(i int) (twin S, ok bool) {
	if p.twins[i] == nil {
		world := p.imagine(&p.views[i], p.viewers[i])
		p.twins[i] = &world
	}
	twin = *p.twins[i]
	return twin, p.see(&twin, p.viewers[i]) == p.views[i]
}
