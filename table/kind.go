package table

// Kind is what an entry does.
type Kind uint8

// The kinds of entries.
const (
	Opened   Kind = 1 + iota // the table is set: settings and commitment
	Sat                      // a person sits down before the game
	Stood                    // a seat is empty again
	Kicked                   // the host sends a person away before the game
	BotSat                   // a bot sits down before the game
	Started                  // the game begins
	Moved                    // a seat makes a move
	Drawn                    // chance makes a move
	Asked                    // a person asks the others for something
	Agreed                   // another person agrees
	Declined                 // another person does not agree, or the one who asked withdraws it
	Undone                   // the game goes back
	Paused                   // the clocks stand and nobody moves
	Resumed                  // the pause is over
	Resigned                 // a person gives up; a bot plays on
	Left                     // a person goes away; a bot plays until they return
	TimedOut                 // the time of a person has run out; a bot plays until they return
	Returned                 // the person is back
	Taken                    // a person takes the seat of a bot
	Ended                    // nothing follows; the secret is told

	ServerAway // the server was away until now: no clock ran

	lastKind = ServerAway
)

// Kinds are all kinds of entries, in the order in which they were introduced.
func Kinds() []Kind {
	var list []Kind
	for k := Opened; k <= lastKind; k++ {
		list = append(list, k)
	}
	return list
}

// kindNames are the names of the kinds on the wire, for ever.
var kindNames = [...]string{
	Opened: "open", Sat: "sit", Stood: "stand", Kicked: "kick", BotSat: "bot", Started: "start", Moved: "move", Drawn: "chance",
	Asked: "ask", Agreed: "agree", Declined: "refuse", Undone: "undo", Paused: "pause", Resumed: "resume",
	Resigned: "resign", Left: "leave", TimedOut: "timeout", Returned: "return", Taken: "take", Ended: "end",
	ServerAway: "outage",
}

// String is the kind on the wire.
func (k Kind) String() string { return nameOf(kindNames[:], k) }

// Plays tells whether such an entry changes the game itself, so that a draft
// made before it no longer fits.
func (k Kind) Plays() bool { return k == Started || k == Undone || k.moves() }

// moves tells whether such an entry is a move, of a seat or of chance.
func (k Kind) moves() bool { return k == Moved || k == Drawn }

// Wish is what may be asked of the others.
type Wish uint8

// The wishes.
const (
	Undo    Wish = 1 + iota // to go back
	Pause                   // to go on another time
	Abandon                 // to end the game without a winner

	wishes = Abandon
)

// wishNames are the names of the wishes on the wire, for ever.
var wishNames = [...]string{Undo: "undo", Pause: "pause", Abandon: "abandon"}

// String is the wish on the wire.
func (w Wish) String() string { return nameOf(wishNames[:], w) }

// ParseWish reads a wish as the wire says it.
func ParseWish(name string) (Wish, bool) { return kindOf[Wish](wishNames[:], name) }

// Why is why a game has ended.
type Why uint8

// The ends of a game.
const (
	Over      Why = 1 + iota // by its rules
	GivenUp                  // too few are left who have not resigned
	Abandoned                // by all together, or because nobody came any more
)

// whyNames are the names of the ends on the wire, for ever.
var whyNames = [...]string{Over: "over", GivenUp: "resigned", Abandoned: "abandoned"}

// String is the end on the wire.
func (w Why) String() string { return nameOf(whyNames[:], w) }

// nameOf is the name of a thing that is counted from 1; empty where it has none.
func nameOf[T ~uint8](names []string, thing T) string {
	if int(thing) >= len(names) {
		return ""
	}
	return names[thing]
}

// kindOf is the thing that has a name.
func kindOf[T ~uint8](names []string, name string) (T, bool) {
	for i, known := range names {
		if known == name && name != "" {
			return T(i), true
		}
	}
	return 0, false
}
