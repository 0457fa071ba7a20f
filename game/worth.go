package game

import (
	"math"
	"math/rand/v2"
)

// Valuer is for games that say what a position is worth to a seat, so that bots can
// compare positions without playing them to the end. A worth is in points: the lead
// over the others that seat may expect at the end of the game, from what it has now
// and what its position promises. Of two positions the better one has the higher
// worth; when the game is over it expects nothing more.
//
// It is asked only of positions in which nothing is hidden, true or imagined, at
// any point of a turn. It searches nothing and allocates nothing.
type Valuer[S any] interface {
	Worth(s *S, seat Seat) float64
}

// Forecaster is for games that say what everyone may expect to have in the end:
// Forecast writes the totals, and the final ones where the game is over. It is
// asked like Worth.
type Forecaster[S any] interface {
	Forecast(s *S, totals *[MaxSeats]float64)
}

// bestOther is how much the best other counts in a lead; all others share the rest.
const bestOther = 0.6

// Ahead is how far a seat is ahead of the others. The best of them counts most, but
// not alone, since nobody knows yet who will be best in the end. Most worths are
// made of it.
func Ahead(totals *[MaxSeats]float64, seats int, seat Seat) float64 {
	best, sum := math.Inf(-1), 0.0
	for other, points := range totals[:seats] {
		if Seat(other) != seat {
			best = max(best, points)
			sum += points
		}
	}
	return totals[seat] - float64(bestOther*best) - (1-bestOther)*sum/float64(seats-1)
}

// ReferenceValuer is for games whose Worth is still tuned: the worth by which the
// reference player judges, the same for ever. Strength is measured against that
// player, so its worth must not grow with the players that are measured.
type ReferenceValuer[S any] interface {
	ReferenceWorth(s *S, seat Seat) float64
}

// Planner is for games that can plan a sensible turn in no time: Plan appends the
// moves of seat up to the end of its turn, to chance, or as far as it sees, and one
// at least. Bots play whole games by it, thousands for a move, so it is quick
// rather than good, and it varies with the random numbers.
//
// Like Worth it is asked only of positions in which nothing is hidden, with a
// seat that is to act, and allocates nothing where buf has room.
type Planner[S, M any] interface {
	Plan(s *S, seat Seat, rng *rand.Rand, buf []M) []M

	// Pace is about how many turns are planned and played in a millisecond on one
	// core from s on. It is a settled number and not measured, so that bots that
	// think for so long find the same move on every machine.
	Pace(s *S) int
}

// Sated is for games in which whoever thinks longer soon gains next to nothing. Suffices is
// for how many milliseconds a turn a level thinks here that thinks for budget elsewhere: where
// much time gains little, levels are told apart only if some of them have little. It is no
// more than budget, above 0 where that is, and never falls where budget grows.
type Sated interface {
	Suffices(budget int) int
}

// Practised is for games whose plans go by numbers that are found by play, their
// habits: whoever changes them a little and wins more often has found better ones.
type Practised[S, M any] interface {
	Planner[S, M]

	// Habits are the numbers that plans go by.
	Habits() []int16

	// Practise is a planner that goes by others, as many of them.
	Practise(habits []int16) Planner[S, M]
}

// Narrower is for games in which many legal moves only undo what was done, so that
// random play would come to nothing. Of a complete list of moves Narrow keeps, in
// their order, those from which a random player should draw and at which a bot that
// plans a turn should look. It writes over the list, and keeps one at least.
type Narrower[S, M any] interface {
	Narrow(s *S, seat Seat, moves []M) []M
}

// Confluent is for games in which the same small moves of a turn, made in many
// orders, end in the same position. A bot that plans a turn looks at each position
// once, whatever way led there, and compares whole turns, not their first moves.
type Confluent[M any] interface {
	// Idle tells whether a whole turn does something of which its other moves make
	// no use: nobody should play such a turn, however equal its worth.
	Idle(turn []M) bool
}

// Foreseer is for games that need not be played to their end: Enough tells whether
// the worth of s says as much as the end would to a bot that thinks about from.
type Foreseer[S any] interface {
	Enough(from, s *S) bool
}

// Steady is for games in which chance draws evenly from many things (Even), each by a
// number of 32 bits that is its own in every position. Bots that compare turns then let
// the same things come in all of them, as far as they can: a turn that leaves one card
// fewer to be drawn is not met by another game.
type Steady[M any] interface {
	Number(outcome M) uint64
}

// Weigher is for games whose points count more or less than usual to bots that want to
// win: Point is how much one point of the lead at the end counts, where a win counts 1.
// Whoever is far ahead should not risk it for points; but where points come in tens, a few
// say who would win had the luck been otherwise.
type Weigher interface {
	Point() float64
}

// Believer is for games whose secrets show in what others do. Believe appends to
// buf every position that the end of a record may be a view of, and to odds how
// likely each is, judged from all that the seat has seen and heard. The odds are
// above 0 and need not add up to anything. Where there are too many positions to
// list it appends none, and bots imagine them.
type Believer[S, M comparable] interface {
	Believe(rec *Record[S, M], buf []S, odds []float64) ([]S, []float64)
}

// Featurer is for games that count what a net judges a position by. Features appends
// whole numbers, always as many: what seat has first, then what the others have, in the
// order in which they sit after it, then what all share. Two positions that differ only
// in who sits where count alike.
//
// It is asked like Worth, and allocates nothing where buf has room. Trained names what
// a net must have been trained for to judge here: the game with its box, and what Features
// counts; whenever any of that is another, so is the name. Other options have another name
// where a net was not seen to serve them too, or no level asks it there. It is empty where no net is wanted, as for a
// box that somebody brings.
//
// Trusted is for which budgets levels judge by a net, in milliseconds a turn, the least
// and the most of them: where matches have shown that it wins, and that levels stay in
// order. It is 0, 0 where none does.
//
// Reach is after how many turns of a playout they ask it.
//
// Hunch is for how many playouts of a turn it counts what a net says right after the turn,
// for a level of such a budget, in milliseconds; 0 where it does not go by that. The two best
// levels ask it, and no others have hunches.
type Featurer[S any] interface {
	Features(s *S, seat Seat, buf []int16) []int16
	Trained() string
	Trusted() (least, most int)
	Reach() int
	Hunch(budget int) int
}

// Settler is for games in which much of a position cannot matter any more towards the
// end. Settle wipes from s what makes no difference to any move that is still to come,
// nor to the standing in the end: from then on exactly the same can be played, with the
// same result. Two positions that are alike then are solved once.
//
// It is asked like Worth, at any point of a turn. What it leaves is no position to show.
type Settler[S any] interface {
	Settle(s *S)
}
