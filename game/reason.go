package game

// Reason is a part of why a turn is worth what it is: a key with arguments that
// the locale files turn into a sentence, and the points of lead that it is worth,
// to the hundredth.
type Reason struct {
	Key    string  `json:"key"`
	Args   Args    `json:"args"`
	Points float64 `json:"points"`
}

// Explainer is for games that say what a turn has changed in the score, so that
// whoever thinks can say why. Why compares two positions in which nothing is
// hidden, the second made of the first by moves of seat. It lists what has become
// different, each thing once, with what it does to the lead of seat over rival;
// all of it together is how that lead has changed.
type Explainer[S any] interface {
	Why(before, after *S, seat, rival Seat) []Change
}

// Change is something in the score that has become different. Its arguments say
// nothing that seat may not know, whatever the world. Where it is so only by what
// another seat keeps secret, it is a Guess: it is told in every world in which it
// is so, also where it does nothing to the lead, and whoever has asked in many
// worlds adds the arguments "other", whose secret it most likely is, and "chance",
// how likely, in percent.
type Change struct {
	Key    string
	Args   Args
	Points Points // what the lead gains by it
	Guess  bool
	Whose  Seat // of a guess
}

// Prospector is for games in which much of what a turn is for shows in the score only
// turns later. Prospects compares as Why does, and says what seat may expect of what
// has become different, besides what the score shows of it at once. What it cannot
// put into words it leaves out.
type Prospector[S any] interface {
	Prospects(before, after *S, seat Seat) []Prospect
}

// Prospect is something that will show in the score. Its arguments say nothing that
// seat may not know.
type Prospect struct {
	Key    string
	Args   Args
	Points float64
}
