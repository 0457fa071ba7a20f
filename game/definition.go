package game

import (
	"io/fs"
)

// Definition is a game as its package offers it to the rest of Copse.
type Definition[S, M comparable] struct {
	About

	// New makes the rules for a number of seats and a version that exist. Options
	// come as the protocol carries them and are not trusted: what New cannot make
	// rules of is a *Fault. Others call Rules.
	New func(seats int, options RawMessage, version int) (Playable[S, M], error)
}

// Rules makes the rules for any settings; a *Fault says what is wrong with them.
func (d *Definition[S, M]) Rules(set Settings) (Playable[S, M], error) {
	version, err := d.Settle(set.Seats, set.Version)
	if err != nil {
		return nil, err
	}
	return d.New(set.Seats, set.Options, version)
}

// Settings are what was chosen for a table. A version of 0 is the newest.
type Settings struct {
	Seats   int
	Options RawMessage
	Version int
}

// About is what can be said of a game before it is played.
type About struct {
	Name     string   // on the wire and on the command line, for ever
	MinSeats int      // the fewest players
	MaxSeats int      // the most players
	Version  int      // the newest version of its rules; all from 1 on are served
	Options  []Option // what a table may choose
	Parts    []string // the parts of a score, in the order of Score.Parts
	Phrases  []Phrase // every key that its rules say, for the locale files
	Levels   []Level  // how strong its bots were found to be, the weakest first
	Texts    fs.FS    // the rules in words: rules.en.md, rules.fr.md, rules.it.md

	// Box reads a box as its owner wrote it, and gives the whole box in the one
	// form whose hash names it. What the owner left out is as in the box that comes
	// with Copse, so {} is that box. What is wrong with a box, and where, is a
	// *Fault. Box is nil for a game without one.
	Box func(raw RawMessage) (RawMessage, error)

	// Printing is for a game of which several boxes come with Copse: the hash of the
	// one that a version of the rules has by default, and what reads a box as Box
	// does, beside that one. It is nil where one box serves all versions.
	Printing func(version int) (hash string, read func(raw RawMessage) (RawMessage, error))
}

// UsualBox is the hash of the box that a version of the rules has by default; empty
// for a game without one.
func (a *About) UsualBox(version int) string {
	if a.Printing != nil {
		hash, _ := a.Printing(version)
		return hash
	}
	for _, o := range a.Options {
		if hash, ok := o.Default.(string); ok && o.Kind == "box" {
			return hash
		}
	}
	return ""
}

// ReadBox reads a box as Box does. What its owner left out is as in the box that the
// version of the rules has by default.
func (a *About) ReadBox(raw RawMessage, version int) (RawMessage, error) {
	if a.Printing != nil {
		_, read := a.Printing(version)
		return read(raw)
	}
	return a.Box(raw)
}

// BoxOf is the hash of the box that options ask for in a version of the rules, and
// the whole box where it is not the usual one. Both are empty for a game without
// boxes.
func (a *About) BoxOf(options RawMessage, version int) (hash string, own RawMessage, err error) {
	if a.Box == nil {
		return "", nil, nil
	}
	usual := a.UsualBox(version)
	o := ReadOptions(options)
	if !o.Has("box") {
		return usual, nil, o.Fault()
	}
	raw, err := TheBox(o, usual)
	if err != nil {
		return "", nil, err
	}
	if string(raw) == "{}" {
		return usual, nil, nil
	}
	written, err := a.ReadBox(raw, version)
	if err != nil {
		return "", nil, Inside("box", err)
	}
	if hash = BoxHash(written); hash == usual {
		return usual, nil, nil
	}
	return hash, written, nil
}

// Option is something a table may choose before a game.
type Option struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // "flag" for true or false, "words" or "number" for some or one of Choices, "box" for a box as JSON or its hash
	Default any    `json:"default"`
	Choices any    `json:"choices,omitempty"` // a list; of words as many are chosen as by default
}

// Phrase is a key and the arguments that come with it.
type Phrase struct {
	Key  string
	Args []string
	When When
}

// When says when a page needs the words of a phrase, so that the first board
// waits for no words but its own.
type When uint8

// The moments at which words are needed.
const (
	WhenTold  When = iota // as something happens, is refused, counted or explained
	WhenLaid              // as soon as the game lies on the table: they name the material
	WhenNamed             // wherever the game is spoken of
	Never                 // only those who host, bring a box or play in a terminal read them
)

// Needed declares when phrases are needed.
func Needed(when When, list ...Phrase) []Phrase {
	for i := range list {
		list[i].When = when
	}
	return list
}

// Say declares a phrase.
func Say(key string, args ...string) Phrase { return Phrase{Key: key, Args: args} }

// Faults are the phrases of all faults that reading JSON can raise, whatever the
// game.
func Faults() []Phrase {
	return append([]Phrase{
		Say("json.object"),
		Say("json.an-object", "field"),
		Say("json.twice", "field"),
		Say("json.missing", "field"),
		Say("json.unknown", "field"),
		Say("json.text", "field"),
		Say("json.flag", "field"),
		Say("json.number", "field"),
		Say("json.range", "field", "least", "most"),
		Say("json.pair", "field"),
		Say("json.list", "field"),
		Say("game.seats", "seats", "least", "most"),
		Say("game.version", "version", "newest"),
		Say("move.do", "do", "known"),
		Say("view.differs", "path"),
		Say("view.impossible", "path"),
	}, Needed(Never,
		Say("box.large", "bytes", "most"),
		Say("box.unknown", "hash", "standard"),
		Say("box.json", "path"),
	)...)
}

// Settle makes sure of the number of seats and the version, and gives the version.
// A version of 0 is the newest.
func (a *About) Settle(seats, version int) (int, error) {
	if seats < a.MinSeats || seats > a.MaxSeats {
		return 0, Blame("game.seats", Args{"seats": seats, "least": a.MinSeats, "most": a.MaxSeats})
	}
	if version == 0 {
		version = a.Version
	}
	if version < 1 || version > a.Version {
		return 0, Blame("game.version", Args{"version": version, "newest": a.Version})
	}
	return version, nil
}
