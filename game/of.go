package game

// Game is a game with its types forgotten, for code that knows no game.
type Game interface {
	// About is what can be said of the game before it is played.
	About() About

	// Start is the first position of a game with these settings, or a *Fault.
	Start(Settings) (Position, error)

	// Open is the position that a view shows, as its viewer may know it, or a
	// *Fault. The view is not trusted: Open takes it only if the rules can go on
	// from it and would write the same view.
	Open(set Settings, viewer Seat, view RawMessage) (Position, error)
}

// Position is a position with its types forgotten. It never changes: a move
// makes another one, so whoever keeps the old one can go back.
type Position interface {
	Seats() int
	ToAct() Seat
	Turn() int

	// Moves is the complete list of moves of the seat to act.
	Moves() []RawMessage

	// Facts says what a screen shows beside each of Moves, in the same order. A
	// move that turns a secret open has the fact "reveals", so that a screen can
	// warn and a table refuse to go back.
	Facts() []Args

	// Play is the position after a move, with what its viewer hears of it. A move
	// that is not allowed is a *Refusal; JSON that is no move at all is a *Fault.
	Play(seat Seat, move RawMessage) (Position, []Event, error)

	// Heard is a move of seat by as seat to, or a watcher, hears it, in the one
	// form in which moves are written. Its maker hears the move itself. JSON that
	// is no move of the game is answered as by Play.
	Heard(move RawMessage, by, to Seat) (RawMessage, error)

	// Reveals tells whether a legal move turns a secret open, so that everyone
	// needs a fresh view after it.
	Reveals(move RawMessage) bool

	// Draw is the outcome of draw number k of a seed.
	Draw(seed Seed, k int) RawMessage

	// Secrets tells whether the game has any.
	Secrets() bool

	// Viewer is None for the truth, else whose view this position is. In a
	// game without secrets every view is the truth.
	Viewer() Seat

	// See is the view of a seat or a watcher. It holds nothing of the moves before
	// it.
	See(seat Seat) Position

	// Record is what a seat or a watcher has lived through on the way here: what it
	// saw at first, and every move since as it heard it.
	Record(seat Seat) (Position, []HeardMove)

	// View is the position as JSON, as far as it is known.
	View() RawMessage

	// Printed is what stands on the cards of the box; nil for a game whose views
	// say all of it.
	Printed() RawMessage

	// Standing is the score as it stands.
	Standing() Standing

	// Sheet explains the standing line by line.
	Sheet() []SheetLine

	// Ties are what broke the ties, once all is over, among all but some seats.
	Ties(without ...Seat) []Tie
}

// Of forgets the types of a game.
func Of[S, M comparable](def Definition[S, M]) Game { return erased[S, M]{def} }

type erased[S, M comparable] struct{ def Definition[S, M] }

func (e erased[S, M]) About() About { return e.def.About }

func (e erased[S, M]) Start(set Settings) (Position, error) {
	r, err := e.def.Rules(set)
	if err != nil {
		return nil, err
	}
	return begin(r, None, r.Start()), nil
}

func (e erased[S, M]) Open(set Settings, viewer Seat, shown RawMessage) (Position, error) {
	r, err := e.def.Rules(set)
	if err != nil {
		return nil, err
	}
	if viewer != Watcher && (viewer < 0 || int(viewer) >= set.Seats) {
		return nil, Blame("view.impossible", Args{"path": "seat"})
	}
	s, err := r.ReadView(shown)
	if err != nil {
		return nil, err
	}
	p := view(r, viewer, s)
	if err := Same("view.differs", "view", shown, p.See(viewer).View()); err != nil {
		return nil, err
	}
	return p, nil
}

type position[S, M comparable] struct {
	rules  Playable[S, M]
	viewer Seat
	s      S
	first  *S       // where it began
	last   *step[M] // the moves from there; nil where there were none
}

// step is a move on the way to a position, with the step before it.
type step[M comparable] struct {
	before *step[M]
	by     Seat
	move   M
}

// begin is a position without any moves before it.
func begin[S, M comparable](r Playable[S, M], viewer Seat, s S) *position[S, M] {
	return &position[S, M]{rules: r, viewer: viewer, s: s, first: &s}
}

func (p *position[S, M]) Seats() int   { return p.rules.Seats() }
func (p *position[S, M]) ToAct() Seat  { return p.rules.ToAct(&p.s) }
func (p *position[S, M]) Turn() int    { return p.rules.Turn(&p.s) }
func (p *position[S, M]) Viewer() Seat { return p.viewer }

func (p *position[S, M]) moves() []M { return p.rules.Moves(&p.s, p.ToAct(), nil) }

func (p *position[S, M]) Moves() []RawMessage {
	moves := p.moves()
	list := make([]RawMessage, len(moves))
	for i, m := range moves {
		list[i] = p.rules.AppendMove(nil, m)
	}
	return list
}

func (p *position[S, M]) Facts() []Args {
	moves, seat := p.moves(), p.ToAct()
	list := make([]Args, len(moves))
	for i, m := range moves {
		list[i] = p.rules.Facts(&p.s, seat, m)
		if p.rules.Reveals(&p.s, m) {
			list[i]["reveals"] = true
		}
	}
	return list
}

func (p *position[S, M]) Play(seat Seat, move RawMessage) (Position, []Event, error) {
	m, err := p.rules.ReadMove(move)
	if err != nil {
		return nil, nil, err
	}
	if err := p.rules.Check(&p.s, seat, m); err != nil {
		return nil, nil, err
	}
	next, log := *p, Log{Events: []Event{}}
	p.rules.Play(&next.s, seat, m, &log)
	next.last = &step[M]{p.last, seat, m}
	for i := range log.Events {
		log.Events[i].To = log.Events[i].To.at(p.Seats())
	}
	if p.viewer != None {
		return &next, log.HeardBy(p.viewer), nil
	}
	return &next, log.Events, nil
}

func (p *position[S, M]) Heard(move RawMessage, by, to Seat) (RawMessage, error) {
	m, err := p.rules.ReadMove(move)
	if err != nil {
		return nil, err
	}
	return p.rules.AppendMove(nil, Hear(p.rules, m, by, to)), nil
}

func (p *position[S, M]) Reveals(move RawMessage) bool {
	m, err := p.rules.ReadMove(move)
	return err == nil && p.rules.Reveals(&p.s, m)
}

func (p *position[S, M]) Draw(seed Seed, k int) RawMessage {
	return p.rules.AppendMove(nil, Draw(p.rules, &p.s, seed, k))
}

func (p *position[S, M]) See(seat Seat) Position {
	var s S
	p.rules.See(&p.s, seat, &s)
	return view(p.rules, seat, s)
}

func (p *position[S, M]) Record(seat Seat) (Position, []HeardMove) {
	rec := recall(p, seat)
	then := make([]HeardMove, len(rec.Then))
	for i, h := range rec.Then {
		then[i] = HeardMove{h.By, p.rules.AppendMove(nil, h.Move)}
	}
	return view(p.rules, seat, rec.First), then
}

// view is a position as a seat sees it.
func view[S, M comparable](r Playable[S, M], viewer Seat, s S) *position[S, M] {
	p := begin(r, viewer, s)
	if !p.Secrets() {
		p.viewer = None
	}
	return p
}

func (p *position[S, M]) Secrets() bool {
	_, open := p.rules.(interface{ keepsNoSecret() })
	return !open
}

func (p *position[S, M]) View() RawMessage {
	raw, err := Marshal(p.rules.ViewJSON(&p.s))
	if err != nil {
		panic("game: a view cannot be written: " + err.Error())
	}
	return raw
}

func (p *position[S, M]) Printed() RawMessage {
	printer, ok := p.rules.(Printer)
	if !ok {
		return nil
	}
	raw, err := Marshal(printer.Printed())
	if err != nil {
		panic("game: the cards cannot be written: " + err.Error())
	}
	return raw
}

func (p *position[S, M]) Standing() Standing { return p.rules.Standing(&p.s) }
func (p *position[S, M]) Sheet() []SheetLine { return p.rules.Sheet(&p.s) }
