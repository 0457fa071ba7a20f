package gametest

import (
	"encoding/json"
	"fmt"
	"testing"

	"copse/game"
)

// Law is something that holds in every game.
type Law struct {
	Name string // as a test is named
	Says string // the law in one sentence
}

// Violation is a law found broken.
type Violation struct {
	Law     Law
	Seats   int
	Options json.RawMessage
	Game    int             // counted from 1; 0 where no game had begun
	Ply     int             // how many moves had been made
	Detail  string          // what was found
	Moves   json.RawMessage // the game so far: a list of {"seat","move"}
}

// String says everything that helps to find the bug.
func (v Violation) String() string {
	where := fmt.Sprintf("%d seats, options %s", v.Seats, v.Options)
	if v.Game > 0 {
		where += fmt.Sprintf(", game %d, ply %d", v.Game, v.Ply)
	}
	text := fmt.Sprintf("%s: %s\nbut (%s): %s", v.Law.Name, v.Law.Says, where, v.Detail)
	if v.Game > 0 {
		text += fmt.Sprintf("\nafter %s", v.Moves)
	}
	return text
}

// Config says how much is tried.
type Config struct {
	Games int    // at each table; 0 leaves it to the length of a game
	Seed  uint64 // the same seed plays the same games
	Until string // the law after whose first violation nothing more is checked

	door func(game.Game) game.Game // what takes the place of game.Of; nil for game.Of itself
}

// law is a Law with the functions that find it broken: at a table before any game,
// at every position of every game or, where that is costly, at some.
type law[S, M comparable] struct {
	Law
	unless  func(*table[S, M]) string // why the law does not apply to this game
	atTable func(*table[S, M]) error
	always  func(*moment[S, M]) error
	often   func(*moment[S, M]) error
}

// book is every law, in the order in which they are held. Types come first: where
// they are wrong nothing else is checked.
func book[S, M comparable]() []law[S, M] {
	return []law[S, M]{
		{Law: Law{"types", "Positions and moves are integers, arrays and structs of them, without padding."},
			atTable: lawTypes[S, M]},
		{Law: Law{"settings", "New makes rules for every number of seats it names, and answers options it does not know with a declared *Fault."},
			atTable: lawSettings[S, M]},
		{Law: Law{"allocation", "A playout allocates nothing."},
			atTable: lawAllocation[S, M]},

		{Law: Law{"list", "Moves appends to what is in the buffer at least one move for whoever is to act and none for others, twice the same, none twice."},
			always: lawList[S, M], often: lawListOnViews[S, M]},
		{Law: Law{"check", "Check accepts exactly what Moves lists, of any move and from anyone, and refuses the rest with a declared *Refusal that names a rule."},
			often: lawCheck[S, M]},
		{Law: Law{"asking", "No question changes the position."},
			often: lawAsking[S, M]},
		{Law: Law{"odds", "Every outcome has odds of at least 1, and the same draw of the same seed is the same listed outcome."},
			always: lawOdds[S, M]},
		{Law: Law{"sampler", "Sample draws every legal move of a player, each about as often, and no other."},
			unless: without[game.Sampler[S, M], S, M], often: lawSampler[S, M]},

		{Law: Law{"turn", "Turn begins at 0, never falls, grows by at most one a move, and two players never act in the same turn."},
			always: lawTurn[S, M]},
		{Law: Law{"silence", "Play makes the same position whether or not a log hears it."},
			always: lawSilence[S, M]},
		{Law: Law{"phrases", "Every event and every line of a sheet says a declared phrase with exactly its arguments."},
			always: lawPhrases[S, M]},
		{Law: Law{"conserved", "What the box holds never changes in number."},
			unless: without[game.Counter[S], S, M], always: lawConserved[S, M]},
		{Law: Law{"replay", "The same moves from the start come to the same position, also where two replay them at once with the same rules."},
			always: lawReplay[S, M]},
		{Law: Law{"end", "Every game ends; then nobody is to act or may do anything, and everyone knows the final standing."},
			atTable: lawEnds[S, M], always: lawEnd[S, M]},

		{Law: Law{"standing", "The truth knows every score, totals are the sums of their parts and ranks are shared as in 1, 1, 3; a view knows the same or says that it does not know."},
			always: lawStanding[S, M]},
		{Law: Law{"ties", "Of two seats with the same total the rules say by a declared phrase why one ranks before the other, with both seats and the rule; where they share the rank, the same either way round."},
			unless: without[game.TieBreaker[S], S, M], always: lawTies[S, M]},
		{Law: Law{"sheet", "The lines of the sheet add up, seat by seat and part by part, to the standing."},
			always: lawSheet[S, M], often: lawSheetOfViews[S, M]},

		{Law: Law{"view", "A view of a view is the view."},
			always: lawView[S, M]},
		{Law: Law{"own view", "A seat finds on its own view the moves that it has, in the same order, and is refused others in the same words."},
			always: lawOwnView[S, M], often: lawOwnRefusals[S, M]},
		{Law: Law{"heard", "What a viewer hears of a move is among the moves that it thinks possible."},
			always: lawHeard[S, M]},
		{Law: Law{"possible", "A viewer thinks possible no move that no world behind its view allows."},
			often: lawPossible[S, M]},
		{Law: Law{"discreet", "Moves that lead to different worlds, but to the same view and events, sound the same."},
			often: lawDiscreet[S, M]},
		{Law: Law{"commute", "Unless a move reveals, what is heard of it, played on a view, makes the view of what the move makes."},
			always: lawCommute[S, M]},
		{Law: Law{"echo", "Unless a move reveals, what is heard of it, played on a view, tells the viewer the events that the move tells it."},
			always: lawEcho[S, M]},
		{Law: Law{"record", "The record of every seat and of a watcher comes to its present view."},
			often: lawRecord[S, M]},
		{Law: Law{"existence", "Who is to act, in which turn, whether a move reveals and how many events are heard depend on no secret."},
			always: lawExistence[S, M], often: lawExistenceInTwins[S, M]},
		{Law: Law{"twins", "In two worlds that look the same to a viewer, a move that sounds the same leads to the same view and the same events, unless it reveals."},
			often: lawTwins[S, M]},
		{Law: Law{"guess", "A guess looks to the viewer like the view, and is a whole world that can be played to its end."},
			often: lawGuess[S, M]},
		{Law: Law{"variety", "Guesses vary where something is hidden."},
			often: lawVariety[S, M]},
		{Law: Law{"uniform", "Where few worlds fit a view, the truth is one of them and each is guessed about as often."},
			often: lawUniform[S, M]},

		{Law: Law{"json", "Moves, as they are made and as they are heard, and views go round through JSON, in the same bytes every time."},
			often: lawJSON[S, M]},
		{Law: Law{"open", "A view that was sent can be opened again, and offers what it offered."},
			often: lawOpen[S, M]},
		{Law: Law{"door", "With its types forgotten the game says the same of every position and view, and a move in JSON leads to the same and is told to those who may hear it."},
			often: lawDoor[S, M]},
		{Law: Law{"faults", "JSON that is wrong is answered by a declared *Fault or *Refusal, and a view that is taken can be gone on from; nothing panics."},
			atTable: lawGarbage[S, M], often: lawFaults[S, M]},
	}
}

// Laws are all the laws, in the order in which they are held.
func Laws() []Law {
	var laws []Law
	for _, l := range book[int8, int8]() {
		laws = append(laws, l.Law)
	}
	return laws
}

// Check plays random games of def at every player count, with the options as they
// are and with each flag turned over, and gives the violations that it found: at
// most two of a law at a table.
func Check[S, M comparable](def game.Definition[S, M], cfg Config) []Violation {
	var found []Violation
	for _, set := range tables(def) {
		found = append(found, sit(def, set, cfg).found...)
	}
	return found
}

// Run holds a game to the laws: a subtest for each table, and in it one for each
// law. With go test -short it plays one game at each table. It cannot run in a
// parallel test, because it counts allocations.
func Run[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	for _, set := range tables(def) {
		name := fmt.Sprintf("%d seats", set.Seats)
		if string(set.Options) != "{}" {
			name += " " + string(set.Options)
		}
		t.Run(name, func(t *testing.T) {
			var cfg Config
			if testing.Short() {
				cfg.Games = 1
			}
			tab := sit(def, set, cfg)
			t.Logf("%d games of about %d plies", tab.games, tab.length)
			for _, l := range tab.book {
				t.Run(l.Name, func(t *testing.T) {
					t.Log(l.Says)
					broken := false
					for _, v := range tab.found {
						if v.Law == l.Law {
							t.Error(v)
							broken = true
						}
					}
					if why := tab.excuses[l.Name]; why != "" && !broken {
						t.Log(why)
					}
				})
			}
		})
	}
}

// tables are the settings at which a game is tried.
func tables[S, M comparable](def game.Definition[S, M]) []game.Settings {
	var list []game.Settings
	for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
		list = append(list, game.Settings{Seats: seats, Options: json.RawMessage("{}"), Version: def.Version})
	}
	for _, o := range def.Options {
		usual, flag := o.Default.(bool)
		if !flag {
			continue
		}
		other := fmt.Appendf(nil, "{%q:%t}", o.Name, !usual)
		for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
			list = append(list, game.Settings{Seats: seats, Options: other, Version: def.Version})
		}
	}
	return list
}
