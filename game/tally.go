package game

// Tallier is for games made of things that should be worth about the same, such as
// cards: it says what is counted when thousands of games are weighed. It is asked
// of true positions, searches nothing and need not be quick.
type Tallier[S any] interface {
	// Things are what is counted, always in the same order.
	Things() []Thing

	// Tally adds to marks, one for each of Things, what holds for a seat in s. It
	// is asked of every position of a game, one after the other. A mark that was
	// made once stays.
	Tally(s *S, seat Seat, marks []Mark)

	// Round is the round that s is in, from 1; when the game is over, the last.
	Round(s *S) int

	// Length is how many rounds a game is meant to last, at least and at most.
	Length() (least, most int)

	// Ending is why a game that is over has ended, in a word.
	Ending(s *S) string
}

// Thing is something that a seat may come by in a game.
type Thing struct {
	Name   string // as the box names it
	Group  string // a name for things that belong together, such as a guild
	Weight int    // how much it counts within its group, at least 1
}

// Mark is what happened between a seat and a thing, as bits.
type Mark uint8

// The marks.
const (
	Dealt     Mark = 1 << iota // the seat had the thing from the start, unasked
	Offered                    // the seat could take the thing in a turn of its own
	Founded                    // the seat took the thing
	Completed                  // the seat completed the thing, whatever came of it later
)

// Combiner is for a Tallier whose things work together: it says which combinations
// of them have names, and when a seat has one.
type Combiner[S any] interface {
	// Combinations are the names of what is counted, always in the same order, and
	// what adds to had, one for each, whether seat has it in s: everything that it
	// takes lies before the seat at the same time, or went the way that it should.
	// It is asked like Tally, after it, with the marks that were made so far. What
	// was had once stays.
	Combinations() (names []string, together func(s *S, seat Seat, marks []Mark, had []bool))
}
