package bot

import (
	"strconv"
	"strings"

	"copse/game"
)

// ReferenceVersion is the version of the references: random, greedy, flat:N,
// ismcts:N and veteran.
// Strength is measured against them, so they are never tuned again: not what they
// look at, not how they count it, not the order in which they draw random numbers.
// What they chose on settled positions is stored in testdata, one file a version,
// and a test compares.
//
// Frozen with them are judge, worlds, finish and the random numbers of a seed,
// which greedy uses, and ReferenceWorth of each game, by which it judges; of the
// veteran all of package veteran, and Veteran of each game. Whoever needs a different
// one makes another beside it. Should a reference ever turn out
// to be wrong, the version is raised, what was stored stays, and results of the two
// versions are not compared.
const ReferenceVersion = 1

// Veteran is the name of level 10 as it was when it was frozen. Like a level it can be
// had with changes: veteran/budget=60/margin=0.05.
const Veteran = "veteran"

// What the names of flat and ismcts begin with; the number of their playouts follows.
const (
	flatPrefix   = "flat:"
	ismctsPrefix = "ismcts:"
)

// mostPlayouts is how many playouts they may be asked for: minutes for a move.
const mostPlayouts = 1_000_000

// Boundless tells whether a player thinks for as long as its name says, as references
// and trials of levels do: nobody is offered one, or may set one at a table. The veteran
// is one of them: it is there to be measured against alone.
func Boundless(player string) bool {
	return strings.HasPrefix(player, flatPrefix) || strings.HasPrefix(player, ismctsPrefix) || player == Veteran || strings.Contains(player, trialSign)
}

// references is the way in which a reference chooses; nil where the name is none of
// theirs. A name that begins like one of theirs and is wrong is a *game.Fault.
func references[S, M comparable](player string) (chooser[S, M], error) {
	switch player {
	case Random:
		return random[S, M], nil
	case Greedy:
		return greedy[S, M], nil
	}
	if name, changes, _ := strings.Cut(player, trialSign); name == Veteran && (changes != "" || player == Veteran) {
		return veteranOf[S, M](changes), nil
	}
	for prefix, choose := range map[string]func(*mind[S, M], int) []choice[M]{flatPrefix: flat[S, M], ismctsPrefix: ismctsOf[S, M]()} {
		digits, ok := strings.CutPrefix(player, prefix)
		if !ok || choose == nil {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > mostPlayouts || strconv.Itoa(n) != digits {
			return nil, game.Blame("bot.playouts", game.Args{"player": player, "kind": prefix, "least": 1, "most": mostPlayouts})
		}
		return func(m *mind[S, M]) []choice[M] { return choose(m, n) }, nil
	}
	return nil, nil
}

// judgeByReference makes the mind judge by the frozen worth of the game. A game
// that has none is judged by its Worth, and one without that by its standing.
func (m *mind[S, M]) judgeByReference() {
	if v, ok := m.rules.(game.ReferenceValuer[S]); ok {
		m.valuer = asValuer[S]{v}
	}
}

// asValuer puts the frozen worth of a game in the place of its worth.
type asValuer[S any] struct{ game.ReferenceValuer[S] }

func (v asValuer[S]) Worth(s *S, seat game.Seat) float64 { return v.ReferenceWorth(s, seat) }
