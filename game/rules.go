package game

import "math/rand/v2"

// Rules is one game with its options, box and version settled. It keeps its tables
// in the value, none in package variables, and never changes: one value serves any
// number of goroutines.
//
// S is a position and M a move: integers, and arrays and structs of them, with
// neither pointers nor padding, so that a position is copied by assignment,
// compared by == and never shares anything. Zero means none: kinds of moves, tiles
// and cards are counted from 1.
//
// A view is a position in which everything that its viewer may not know is zero.
// Every method takes views as it takes the truth. Where a method must know whose
// view it has (the finder of a secret card hears more than the others), the
// position says so in a field of its own.
type Rules[S, M comparable] interface {
	// Seats is the number of players.
	Seats() int

	// Start is the position before anything random has happened.
	Start() S

	// ToAct is the seat that must move next, Chance, or None when the game is
	// over. It never depends on what a viewer may not know: it is the same on
	// the truth and on every view of it.
	ToAct(s *S) Seat

	// Turn counts finished turns from 0. No move lowers it, none raises it by
	// more than one, and two players never act in the same turn.
	Turn(s *S) int

	// Moves appends to buf all that seat may do, in a fixed order and without
	// repeats; for Chance, all that may happen. It appends nothing for a seat that
	// is not to act. On a view it lists, for the viewer, exactly what it lists on
	// the truth; for another seat, all that the seat might do as far as the viewer
	// knows, in the form in which the viewer would hear it.
	Moves(s *S, seat Seat, buf []M) []M

	// Odds is the relative weight of one of Chance's moves, at least 1.
	Odds(s *S, m M) int

	// Check is nil exactly when Moves lists m for seat, else a *Refusal that
	// names the rule. It takes any m at all, random bytes included.
	Check(s *S, seat Seat, m M) error

	// Play makes a move that Check accepts and tells the log what happened. With a
	// nil log it builds no events.
	Play(s *S, seat Seat, m M, log *Log)

	// Standing is the score as it stands, in the parts that the game's Definition
	// names; Unknown where a view cannot know.
	Standing(s *S) Standing

	// See writes into a zero view what seat may know of s: an allow-list. The view
	// of a view, for the same seat, is that view.
	See(s *S, seat Seat, view *S)

	// Reveals tells whether m turns a secret open, so that a viewer needs a fresh
	// view after it. It is the same on the truth and on every view.
	Reveals(s *S, m M) bool

	// Imagine completes the view of seat by a guess at all that it hides; all
	// positions that fit are equally likely. Its result looks to seat exactly like
	// the view.
	Imagine(view *S, seat Seat, rng *rand.Rand)
}

// Wire turns moves and views into JSON and back. Names on the wire are for ever.
// What it reads is not trusted.
type Wire[S, M comparable] interface {
	// AppendMove appends the JSON of a move. A move as somebody else hears it
	// leaves out what the hearer may not know.
	AppendMove(dst []byte, m M) []byte

	// ReadMove reads such JSON. JSON that is no move of this game at all is a
	// *Fault; a move that could never be one (a square off every board) may be a
	// *Refusal at once.
	ReadMove(raw []byte) (M, error)

	// ViewJSON is the view as a value for encoding/json: everything that a screen
	// needs to draw the table, and everything that ReadView needs to restore it.
	ViewJSON(view *S) any

	// ReadView reads such JSON back and makes sure that the rules can go on from
	// the position. It takes only what cannot be computed; the caller compares the
	// rest.
	ReadView(raw []byte) (S, error)
}

// Sheet explains the score: the points of its lines add up, seat by seat and
// part by part, to Standing.
type Sheet[S any] interface {
	Sheet(s *S) []SheetLine
}

// Facts says of a legal move what a screen shows beside it (what a leaf costs, what
// a tile covers), so that a screen need not know a rule. The map belongs to the
// caller and is never nil.
type Facts[S, M any] interface {
	Facts(s *S, seat Seat, m M) Args
}

// Even is for games in which all outcomes of chance are always equally likely, so
// that nobody need ask for the Odds of each.
type Even interface {
	Even()
}

// Printer is for games whose cards say more than a view repeats every time: Printed
// is what stands on the cards of the box, as a value for encoding/json.
type Printer interface {
	Printed() any
}

// Playable is all that a game must have.
type Playable[S, M comparable] interface {
	Rules[S, M]
	Wire[S, M]
	Sheet[S]
	Facts[S, M]
}

// Hearer is for games in which not everyone hears the same of a move: Heard is m,
// made by seat by, as seat to hears it. Without a Hearer everyone hears everything.
// A view on which the heard move is played becomes the view of the position on
// which the move was played, unless the move Reveals.
type Hearer[M any] interface {
	Heard(m M, by, to Seat) M
}

// Counter counts what the box holds (trees, leaves, tiles, wherever they lie). The
// counts of a true position never change.
type Counter[S any] interface {
	Count(s *S) [8]int
}

// Sampler draws one of the legal moves of a player, all equally likely, without
// listing them.
type Sampler[S, M any] interface {
	Sample(s *S, seat Seat, rng *rand.Rand) M
}

// Hear is m, made by seat by, as seat to hears it, whether or not the game has a
// Hearer.
func Hear[S, M comparable](r Rules[S, M], m M, by, to Seat) M {
	if h, ok := r.(Hearer[M]); ok && by != to {
		return h.Heard(m, by, to)
	}
	return m
}

// Open is embedded by the rules of a game in which everyone may know everything:
// the game so declares that it has no secret.
type Open[S, M comparable] struct{}

func (Open[S, M]) keepsNoSecret() {}

// See shows everything.
func (Open[S, M]) See(s *S, _ Seat, view *S) { *view = *s }

// Reveals is false: there is nothing to reveal.
func (Open[S, M]) Reveals(*S, M) bool { return false }

// Imagine has nothing to guess.
func (Open[S, M]) Imagine(*S, Seat, *rand.Rand) {}
