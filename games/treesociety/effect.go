package treesociety

import (
	"errors"
	"slices"

	"copse/game"
)

// The language of the cards. A level has an Effect: clauses that are done once,
// before it is paid (First) or after it was built (Do), or rules that hold while
// the marker stays there (While). What a clause brings, and what a level scores,
// is a Quantity.

// Effect is what a level does besides scoring. A level without one shows a dash
// (3.8).
type Effect struct {
	First []Clause `json:"first,omitempty"` // mandatory, before the level is paid (3.11)
	Do    []Clause `json:"do,omitempty"`    // standard: used at once and in full, or skipped (3.6)
	While []Rule   `json:"while,omitempty"` // continuous (3.9)
}

// Verb names what a clause or a rule does.
type Verb string

// The verbs of clauses.
const (
	VerbCoins     Verb = "coins"      // gain coins
	VerbPay       Verb = "pay"        // pay coins from the purse
	VerbUnlock    Verb = "unlock"     // move coins from the chest to the purse
	VerbSell      Verb = "sell"       // an extra sale (2.5)
	VerbTake      Verb = "take"       // a fruit card from the market
	VerbDiscard   Verb = "discard"    // one of your own guilds
	VerbRefresh   Verb = "refresh"    // discard rows of the guild market, slide and refill
	VerbDrawFruit Verb = "draw-fruit" // reveal fruit cards, keep one or several (3.12)
	VerbDrawGuild Verb = "draw-guild" // reveal guilds, found some or none (3.12)
	VerbFound     Verb = "found"      // a card of the market
	VerbRaise     Verb = "raise"      // a card in progress by one level
	VerbBuild     Verb = "build"      // found or raise
)

// The verbs of rules.
const (
	VerbCheaper     Verb = "cheaper"      // a reduction for what you build (3.4)
	VerbBetterSale  Verb = "better-sale"  // every sale pays more
	VerbBiggerPurse Verb = "bigger-purse" // keep more coins at rest (4.2)
	VerbIncome      Verb = "income"       // gain coins at rest
)

// Verbs of clauses and of rules, in the order in which they are documented.
func clauseVerbs() []Verb {
	return []Verb{
		VerbCoins, VerbPay, VerbUnlock, VerbSell, VerbTake, VerbDiscard, VerbRefresh,
		VerbDrawFruit, VerbDrawGuild, VerbFound, VerbRaise, VerbBuild,
	}
}

func ruleVerbs() []Verb { return []Verb{VerbCheaper, VerbBetterSale, VerbBiggerPurse, VerbIncome} }

// builds tells whether a verb builds a level; such a clause is the last of its
// list (3.7).
func (v Verb) builds() bool {
	return v == VerbDrawGuild || v == VerbFound || v == VerbRaise || v == VerbBuild
}

// turns tells whether a verb brings guilds to light, so that a turn could go on
// for ever if it came again and again.
func (v Verb) turns() bool { return v == VerbRefresh || v == VerbDrawGuild }

// Words of the language that are not verbs.
const (
	purseWord     = "purse"
	chestWord     = "chest"
	anyWord       = "any"
	progressWord  = "progress"
	completedWord = "completed"
	foundWord     = "found"
	raiseWord     = "raise"
)

// Clause is one thing that an effect does. Which fields it has depends on its
// verb; the others are zero.
type Clause struct {
	Verb   Verb     `json:"verb"`
	Amount Quantity `json:"amount,omitzero"`  // coins, pay, unlock: how many; 0 unlocks all
	To     string   `json:"to,omitempty"`     // coins: "chest", or nothing for the purse
	More   int      `json:"more,omitempty"`   // sell: so many coins more
	From   string   `json:"from,omitempty"`   // discard: "progress" or "completed", or nothing for both
	Other  bool     `json:"other,omitempty"`  // discard, raise, build: not this card
	Rows   int      `json:"rows,omitempty"`   // refresh: 1 or 2
	Count  int      `json:"count,omitempty"`  // draw-fruit, draw-guild: how many are revealed
	Keep   int      `json:"keep,omitempty"`   // likewise: how many may be kept, 2 or more; 0 for one (from version 3 of the rules)
	Half   bool     `json:"half,omitempty"`   // whatever builds: at half price,
	Less   int      `json:"less,omitempty"`   // or for so many coins less,
	Free   bool     `json:"free,omitempty"`   // or for nothing
	Guild  string   `json:"guild,omitempty"`  // found, raise, build: only of this guild
	Levels []int    `json:"levels,omitempty"` // raise, build: only these levels, from the lowest; none for all (from version 3)
}

// Rule is what holds while the marker stays on its level.
type Rule struct {
	Verb   Verb   `json:"verb"`
	Half   bool   `json:"half,omitempty"`   // cheaper: half price,
	Less   int    `json:"less,omitempty"`   // or so many coins less
	Build  string `json:"build,omitempty"`  // cheaper: "found" or "raise", or nothing for both
	Guild  string `json:"guild,omitempty"`  // cheaper: only of this guild
	Amount int    `json:"amount,omitempty"` // of the others
	Type   string `json:"type,omitempty"`   // better-sale: only of this fruit
	To     string `json:"to,omitempty"`     // income: "purse", or nothing for the chest
}

// Count names what a quantity counts.
type Count string

// What can be counted, for a seat (6.3).
const (
	CountBanners   Count = "banners"          // of completed cards; with a guild, only its
	CountGuilds    Count = "different-guilds" // guilds among completed cards
	CountMajority  Count = "majority"         // banners of the guild with the most of them
	CountCompleted Count = "completed"        // completed cards; with a guild, only its
	CountProgress  Count = "progress"         // cards in progress
	CountSold      Count = "sold"             // cards in the sold pile; with a type, only those
	CountUnsold    Count = "unsold"           // cards in the face-up row; with a type, only those
	CountTypes     Count = "types"            // different types among sold, unsold or both
	CountMostSold  Count = "most-sold"        // sold cards of the type sold most
	CountCoins     Count = "coins"            // in the purse
	CountChest     Count = "chest"            // coins in the chest
)

func counts() []Count {
	return []Count{
		CountBanners, CountGuilds, CountMajority, CountCompleted, CountProgress,
		CountSold, CountUnsold, CountTypes, CountMostSold, CountCoins, CountChest,
	}
}

// Where different types are counted.
const (
	inSold   = "sold"
	inUnsold = "unsold"
	inBoth   = "both"
)

// Quantity is a number, or Times for every Per of what Of counts, at most Most.
// In JSON it is a number or an object.
type Quantity struct {
	Number int    // where Of is empty
	Times  int    // points or coins,
	Of     Count  // for every
	Per    int    // so many, at least 1,
	Most   int    // but no more than that; 0 is no limit
	Guild  string // banners, completed: only of this guild
	Type   string // sold, unsold: only of this fruit
	In     string // types: where
}

// Fixed tells whether the quantity is a plain number.
func (q Quantity) Fixed() bool { return q.Of == "" }

// quantityJSON is a quantity that counts something, as it is written.
type quantityJSON struct {
	Times int    `json:"times"`
	Of    Count  `json:"of"`
	Per   int    `json:"per,omitempty"`
	Most  int    `json:"most,omitempty"`
	Guild string `json:"guild,omitempty"`
	Type  string `json:"type,omitempty"`
	In    string `json:"in,omitempty"`
}

// JSON writes a number, or an object that leaves out what goes without
// saying.
func (q Quantity) JSON() ([]byte, error) {
	if q.Fixed() {
		return game.Marshal(q.Number)
	}
	j := quantityJSON{Times: q.Times, Of: q.Of, Per: q.Per, Most: q.Most, Guild: q.Guild, Type: q.Type, In: q.In}
	if j.Per == 1 {
		j.Per = 0
	}
	return game.Marshal(j)
}

// MarshalJSON is JSON for encoding/json.
func (q Quantity) MarshalJSON() ([]byte, error) { return q.JSON() }

// ReadJSON reads what JSON wrote, for those who are shown a card.
func (q *Quantity) ReadJSON(raw []byte) error {
	var err error
	*q, err = readQuantity(game.ReadObject(slices.Concat([]byte(`{"quantity":`), raw, []byte("}"))), "quantity")
	return err
}

// UnmarshalJSON is ReadJSON for encoding/json.
func (q *Quantity) UnmarshalJSON(raw []byte) error { return q.ReadJSON(raw) }

// at says of a fault where in the box it was found.
//
//go:noinline
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return game.Inside(path, err)
}

// word reads an optional word; one that goes without saying is nothing.
//
//go:noinline
func word(o *game.Object, field, usual string) string {
	if !o.Has(field) {
		return ""
	}
	if text := o.Text(field); text != usual {
		return text
	}
	return ""
}

//go:noinline
func number(o *game.Object, field string, usual int) int {
	if !o.Has(field) {
		return usual
	}
	return o.Number(field)
}

//go:noinline
func flag(o *game.Object, field string) bool { return o.Has(field) && o.Flag(field) }

// list reads a list of objects, nil where the field is missing.
func list[T any](o *game.Object, field string, read func(game.RawMessage) (T, error)) ([]T, error) {
	if !o.Has(field) {
		return nil, o.Fault()
	}
	raw := o.Raw(field)
	var items []game.RawMessage
	if raw[0] != '[' || game.Unmarshal(raw, &items) != nil {
		return nil, game.Blame("json.list", game.Args{"field": field})
	}
	all := make([]T, 0, len(items))
	for i, item := range items {
		one, err := read(item)
		if err != nil {
			path := game.At(field, i)
			if fault := (*game.Fault)(nil); errors.As(err, &fault) && fault.Key == "json.object" {
				return nil, game.Blame("json.an-object", game.Args{"field": path})
			}
			return nil, at(path, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// readEffect reads an effect, strictly.
func readEffect(raw game.RawMessage) (*Effect, error) {
	o := game.ReadObject(raw)
	var e Effect
	var err error
	if e.First, err = list(o, "first", readClause); err != nil {
		return nil, err
	}
	if e.Do, err = list(o, "do", readClause); err != nil {
		return nil, err
	}
	if e.While, err = list(o, "while", readRule); err != nil {
		return nil, err
	}
	return &e, o.Done()
}

// readClause reads a clause with the fields of its verb and no others.
func readClause(raw game.RawMessage) (Clause, error) {
	o := game.ReadObject(raw)
	c := Clause{Verb: Verb(o.Text("verb"))}
	if err := o.Fault(); err != nil {
		return c, err
	}
	var err error
	switch c.Verb {
	case VerbCoins:
		c.Amount, err = readQuantity(o, "amount")
		c.To = word(o, "to", purseWord)
	case VerbPay:
		c.Amount.Number = o.Number("amount")
	case VerbUnlock:
		c.Amount.Number = number(o, "amount", 0)
	case VerbSell:
		c.More = number(o, "more", 0)
	case VerbTake:
	case VerbDiscard:
		c.From, c.Other = word(o, "from", anyWord), flag(o, "other")
	case VerbRefresh:
		c.Rows = o.Number("rows")
	case VerbDrawFruit:
		err = c.readDraw(o)
	case VerbDrawGuild:
		err = c.readDraw(o)
		c.readPrice(o)
	case VerbFound:
		c.readPrice(o)
		c.Guild = word(o, "guild", "")
	case VerbRaise, VerbBuild:
		c.readPrice(o)
		c.Guild, c.Other = word(o, "guild", ""), flag(o, "other")
		c.Levels, err = readLevels(o)
	default:
		return c, wrong("verb", "verb", game.Args{"verb": string(c.Verb), "verbs": clauseVerbs()})
	}
	if err != nil {
		return c, err
	}
	return c, o.Done()
}

// readDraw reads how many cards are revealed and kept; one is kept where nothing is
// said.
func (c *Clause) readDraw(o *game.Object) error {
	c.Count, c.Keep = o.Number("count"), number(o, "keep", 1)
	switch {
	case o.Fault() != nil:
		return o.Fault()
	case c.Keep < 1:
		return wrong("number", "keep", game.Args{"number": c.Keep, "least": 1, "most": mostDrawn})
	case c.Keep == 1:
		c.Keep = 0
	}
	return nil
}

// kept is how many of the drawn cards may be kept.
func (c *Clause) kept() int { return max(c.Keep, 1) }

// readLevels reads a list of levels; nil for all of them.
func readLevels(o *game.Object) ([]int, error) {
	if !o.Has("levels") {
		return nil, o.Fault()
	}
	var list []int
	if game.Unmarshal(o.Raw("levels"), &list) != nil || list == nil {
		return nil, game.Blame("json.list", game.Args{"field": "levels"})
	}
	return list, nil
}

func (c *Clause) readPrice(o *game.Object) {
	c.Half, c.Less, c.Free = flag(o, "half"), number(o, "less", 0), flag(o, "free")
}

// readRule reads a rule with the fields of its verb and no others.
func readRule(raw game.RawMessage) (Rule, error) {
	o := game.ReadObject(raw)
	rule := Rule{Verb: Verb(o.Text("verb"))}
	if err := o.Fault(); err != nil {
		return rule, err
	}
	switch rule.Verb {
	case VerbCheaper:
		rule.Half, rule.Less = flag(o, "half"), number(o, "less", 0)
		rule.Build, rule.Guild = word(o, "build", anyWord), word(o, "guild", "")
	case VerbBetterSale:
		rule.Amount, rule.Type = o.Number("amount"), word(o, "type", "")
	case VerbBiggerPurse:
		rule.Amount = o.Number("amount")
	case VerbIncome:
		rule.Amount, rule.To = o.Number("amount"), word(o, "to", chestWord)
	default:
		return rule, wrong("verb", "verb", game.Args{"verb": string(rule.Verb), "verbs": ruleVerbs()})
	}
	return rule, o.Done()
}

// readQuantity reads a number or what is to be counted.
func readQuantity(o *game.Object, field string) (Quantity, error) {
	raw := o.Raw(field)
	if raw == nil || raw[0] != '{' {
		return Quantity{Number: o.Number(field)}, o.Fault()
	}
	in := game.ReadObject(raw)
	q := Quantity{
		Times: in.Number("times"), Of: Count(in.Text("of")), Per: number(in, "per", 1), Most: number(in, "most", 0),
		Guild: word(in, "guild", ""), Type: word(in, "type", ""), In: word(in, "in", ""),
	}
	if err := in.Done(); err != nil {
		return q, at(field, err)
	}
	if q.Of == "" {
		return q, wrong("count", field+".of", game.Args{"count": "", "counts": counts()})
	}
	if in.Has("per") && q.Per == 0 || in.Has("most") && q.Most == 0 {
		// Left out they go without saying; written, they are at least 1.
		return q, wrong("number", field, game.Args{"number": 0, "least": 1, "most": mostNumber})
	}
	return q, nil
}

// within blames a number that is out of bounds.
//
//go:noinline
func within(path string, n, least, most int) error {
	if n < least || n > most {
		return wrong("number", path, game.Args{"number": n, "least": least, "most": most})
	}
	return nil
}

// among blames a word that is none of those that are due; nothing is always one.
//
//go:noinline
func among(path, text string, words []string) error {
	if text != "" && !slices.Contains(words, text) {
		return wrong("word", path, game.Args{"word": text, "words": words})
	}
	return nil
}

// firstOf is the first of some faults.
func firstOf(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// check makes sure that a quantity can be counted; coins need a most.
func (q Quantity) check(path string, coins bool) error {
	if q.Fixed() {
		return within(path, q.Number, 0, mostNumber)
	}
	if !slices.Contains(counts(), q.Of) {
		return wrong("count", path+".of", game.Args{"count": string(q.Of), "counts": counts()})
	}
	fits := q.Guild == "" || q.Of == CountBanners || q.Of == CountCompleted
	fits = fits && (q.Type == "" || q.Of == CountSold || q.Of == CountUnsold)
	if !fits || (q.In != "") != (q.Of == CountTypes) {
		return wrong("counted", path, game.Args{"count": string(q.Of)})
	}
	least := 0
	if coins {
		least = 1
	}
	return firstOf(
		within(path+".times", q.Times, 1, mostNumber),
		within(path+".per", q.Per, 1, mostNumber),
		within(path+".most", q.Most, least, mostNumber),
		among(path+".guild", q.Guild, guildNames()),
		among(path+".type", q.Type, fruitNames()),
		among(path+".in", q.In, []string{inSold, inUnsold, inBoth}),
	)
}

// check makes sure that an effect of a level, 1 to 3, can be done by the one
// interpreter.
func (e *Effect) check(path string, level int) error {
	once := len(e.First) + len(e.Do)
	switch {
	case once == 0 && len(e.While) == 0:
		return wrong("empty", path, nil)
	case once > 0 && len(e.While) > 0:
		return wrong("mixed", path, nil)
	case level == levels && len(e.While) > 0: // 3.9
		return wrong("while", path+".while", nil)
	}
	if err := firstOf(checkList(path+".first", e.First, true), checkList(path+".do", e.Do, false)); err != nil {
		return err
	}
	if n := len(e.While); n > mostClauses {
		return wrong("clauses", path+".while", game.Args{"clauses": n, "most": mostClauses})
	}
	for i, rule := range e.While {
		if err := rule.check(game.At(path+".while", i)); err != nil {
			return err
		}
	}
	return nil
}

// checkList makes sure of the clauses of a list and of their order: what builds
// comes last (3.7), a market that was wholly cleared is not chosen from, and
// before a level is paid (3.11) nothing is drawn whose outcome could decide
// whether it can be.
func checkList(path string, clauses []Clause, first bool) error {
	if n := len(clauses); n > mostClauses {
		return wrong("clauses", path, game.Args{"clauses": n, "most": mostClauses})
	}
	cleared := false
	several, fruit := false, 0 // fruit that is kept or taken, which is to be looked through
	for i, c := range clauses {
		here := game.At(path, i)
		if err := c.check(here); err != nil {
			return err
		}
		last := i == len(clauses)-1
		switch {
		case c.Verb.builds() && !last:
			return wrong("last", here, game.Args{"verb": string(c.Verb)})
		case first && (c.Verb.builds() || c.Verb.turns() || c.Verb == VerbDrawFruit || c.Verb == VerbTake && !last):
			return wrong("first", here, game.Args{"verb": string(c.Verb)})
		case cleared && (c.Verb == VerbFound || c.Verb == VerbBuild):
			return wrong("cleared", here, game.Args{"verb": string(c.Verb)})
		}
		cleared = cleared || c.Verb == VerbRefresh && c.Rows == 2
		switch c.Verb {
		case VerbDrawFruit:
			several = several || c.Keep > 1
			fruit += c.kept()
		case VerbTake: // any of the market, and any comes in its place
			fruit += 2
		}
		if several && fruit > mostKept {
			return wrong("kept", here, game.Args{"fruit": fruit, "most": mostKept})
		}
	}
	return nil
}

// check makes sure that a clause means something.
func (c *Clause) check(path string) error {
	switch c.Verb {
	case VerbCoins:
		return firstOf(c.Amount.check(path+".amount", true), c.someCoins(path), among(path+".to", c.To, []string{chestWord}))
	case VerbPay:
		return within(path+".amount", c.Amount.Number, 1, mostNumber)
	case VerbUnlock:
		return within(path+".amount", c.Amount.Number, 0, mostNumber)
	case VerbSell:
		return within(path+".more", c.More, 0, mostNumber)
	case VerbDiscard:
		return among(path+".from", c.From, []string{progressWord, completedWord})
	case VerbRefresh:
		return within(path+".rows", c.Rows, 1, 2)
	case VerbDrawFruit:
		return c.checkDraw(path)
	case VerbDrawGuild:
		return firstOf(c.checkDraw(path), c.checkPrice(path))
	case VerbFound, VerbRaise, VerbBuild:
		return firstOf(c.checkPrice(path), among(path+".guild", c.Guild, guildNames()), c.checkLevels(path))
	}
	return nil
}

// checkDraw makes sure that no more cards are kept than are revealed.
func (c *Clause) checkDraw(path string) error {
	return firstOf(within(path+".count", c.Count, 2, mostDrawn), within(path+".keep", c.kept(), 1, c.Count))
}

// checkLevels makes sure of levels that the verb can build, from the lowest, and not
// all of them: that goes without saying.
func (c *Clause) checkLevels(path string) error {
	if c.Levels == nil {
		return nil
	}
	least := 1
	if c.Verb == VerbRaise {
		least = 2
	}
	if n := len(c.Levels); n == 0 || n > levels-least {
		return wrong("named", path+".levels", game.Args{"levels": n, "most": levels - least})
	}
	for i, level := range c.Levels {
		if err := within(game.At(path+".levels", i), level, least, levels); err != nil {
			return err
		}
		least = level + 1
	}
	return nil
}

// someCoins blames a clause that would bring nothing whatever happens.
func (c *Clause) someCoins(path string) error {
	if c.Amount.Fixed() {
		return within(path+".amount", c.Amount.Number, 1, mostNumber)
	}
	return nil
}

// checkPrice makes sure of one price at most.
func (c *Clause) checkPrice(path string) error {
	n := 0
	for _, given := range []bool{c.Half, c.Less != 0, c.Free} {
		if given {
			n++
		}
	}
	if n > 1 {
		return wrong("price", path, nil)
	}
	return within(path+".less", c.Less, 0, mostCost)
}

// check makes sure that a rule means something. Its amount is small enough for
// what twelve rules at once add up to.
func (rule *Rule) check(path string) error {
	switch rule.Verb {
	case VerbCheaper:
		if rule.Half == (rule.Less != 0) {
			return wrong("reduction", path, nil)
		}
		return firstOf(
			within(path+".less", rule.Less, 0, mostCost),
			among(path+".build", rule.Build, []string{foundWord, raiseWord}),
			among(path+".guild", rule.Guild, guildNames()),
		)
	case VerbBetterSale:
		return firstOf(within(path+".amount", rule.Amount, 1, mostCoins), among(path+".type", rule.Type, fruitNames()))
	case VerbBiggerPurse:
		return within(path+".amount", rule.Amount, 1, mostCoins)
	case VerbIncome:
		return firstOf(within(path+".amount", rule.Amount, 1, mostCoins), among(path+".to", rule.To, []string{purseWord}))
	}
	return nil
}
