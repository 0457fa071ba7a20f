package treesociety

import "copse/game"

// Cards in words. Every clause and rule of the language of effects is one
// sentence of the locale files, treesociety.clause.VERB; this file says which,
// with what arguments. Whoever shows a card says its sentences one after the
// other, with a space between them: nobody else composes what a card says.

// Sentence is a key with arguments that the locale files turn into words.
type Sentence struct {
	Key  string    `json:"key"`
	Args game.Args `json:"args"`
}

// LevelWords are a level in words.
type LevelWords struct {
	Effect []Sentence `json:"effect,omitempty"` // what it does, in order; none shows a dash (3.8)
	Points Sentence   `json:"points"`           // what it scores
}

// Where a sentence stands decides how it begins: a sentence of its own, the rest
// of a lead-in that ends with a colon, or one that goes on from another.
const (
	placeStart = "start"
	placeAfter = "after"
	placeThen  = "then"
)

// noneWord stands for a guild or a fruit that a card does not ask for.
const noneWord = "none"

func clauseKey(verb Verb) string { return "treesociety.clause." + string(verb) }

// lead introduces the clauses of a list.
func lead(list string) Sentence { return Sentence{"treesociety.clause." + list, game.Args{}} }

// Words are the levels of the card in words, from the first.
func (c *Card) Words() []LevelWords {
	all := make([]LevelWords, 0, len(c.Levels))
	for i := range c.Levels {
		all = append(all, c.Levels[i].Words())
	}
	return all
}

// Words are the level in words.
func (l *Level) Words() LevelWords {
	words := LevelWords{Points: l.Points.score()}
	if l.Effect != nil {
		words.Effect = l.Effect.Words()
	}
	return words
}

// Words are the effect, sentence by sentence. Standard clauses need no lead-in
// unless mandatory ones stand before them.
func (e *Effect) Words() []Sentence {
	var list []Sentence
	if len(e.First) > 0 {
		list = append(list, lead("first"))
		list = append(list, tell(e.First, placeAfter)...)
	}
	if len(e.Do) > 0 {
		place := placeStart
		if len(e.First) > 0 {
			list = append(list, lead("do"))
			place = placeAfter
		}
		list = append(list, tell(e.Do, place)...)
	}
	if len(e.While) > 0 {
		list = append(list, lead("while"))
	}
	for i := range e.While {
		place := placeStart
		if i == 0 {
			place = placeAfter
		}
		list = append(list, e.While[i].sentence(place))
	}
	return list
}

// tell are clauses in their order, the first in the place that it has.
func tell(clauses []Clause, place string) []Sentence {
	var list []Sentence
	for i := range clauses {
		list = append(list, clauses[i].sentence(place))
		place = placeThen
	}
	return list
}

// Words are what the action of the fruit card does (3.15), as the clause that
// does the same.
func (f *Fruit) Words() Sentence {
	var c Clause
	switch f.Action {
	case actionSell:
		c = Clause{Verb: VerbSell}
	case actionRow:
		c = Clause{Verb: VerbRefresh, Rows: 1}
	case actionTake:
		c = Clause{Verb: VerbTake}
	case actionChest:
		c = Clause{Verb: VerbCoins, Amount: Quantity{Number: f.Coins}, To: chestWord}
	case actionBuild:
		c = Clause{Verb: VerbBuild, Less: 2}
	}
	return c.sentence(placeStart)
}

// or is a word, or another where there is none.
func or(word, none string) string {
	if word == "" {
		return none
	}
	return word
}

// sentence is the clause in words.
func (c *Clause) sentence(place string) Sentence {
	key, args := clauseKey(c.Verb), game.Args{"place": place}
	switch c.Verb {
	case VerbCoins:
		args["to"] = or(c.To, purseWord)
		if c.Amount.Fixed() {
			args["amount"] = c.Amount.Number
			break
		}
		key += "-per"
		c.Amount.each(args)
	case VerbPay, VerbUnlock:
		args["amount"] = c.Amount.Number
	case VerbSell:
		args["more"] = c.More
	case VerbDiscard:
		args["from"], args["other"] = or(c.From, anyWord), c.Other
	case VerbRefresh:
		args["rows"] = c.Rows
	case VerbDrawFruit:
		key = c.drawn(key, args)
	case VerbDrawGuild:
		key = c.drawn(key, args)
		c.price(args)
	case VerbFound:
		args["guild"] = or(c.Guild, noneWord)
		c.price(args)
	case VerbRaise, VerbBuild:
		args["guild"], args["other"] = or(c.Guild, noneWord), c.Other
		c.price(args)
		if c.Levels != nil {
			key += "-to"
			args["level"], args["or"] = c.Levels[0], 0
			if n := len(c.Levels); n > 1 {
				args["or"] = c.Levels[n-1]
			}
		}
	}
	return Sentence{key, args}
}

// drawn says how many cards are revealed and, where it is not one, kept.
func (c *Clause) drawn(key string, args game.Args) string {
	args["count"] = c.Count
	if c.Keep > 1 {
		key += "-several"
		args["keep"] = c.Keep
	}
	return key
}

// price says at what price a clause builds.
func (c *Clause) price(args game.Args) {
	price := "full"
	switch {
	case c.Half:
		price = "half"
	case c.Free:
		price = "free"
	case c.Less > 0:
		price = "less"
	}
	args["price"], args["less"] = price, c.Less
}

// sentence is the rule in words.
func (rule *Rule) sentence(place string) Sentence {
	args := game.Args{"place": place}
	switch rule.Verb {
	case VerbCheaper:
		args["build"], args["guild"] = or(rule.Build, anyWord), or(rule.Guild, noneWord)
		args["half"], args["less"] = rule.Half, rule.Less
	case VerbBetterSale:
		args["amount"], args["type"] = rule.Amount, or(rule.Type, noneWord)
	case VerbBiggerPurse:
		args["amount"] = rule.Amount
	case VerbIncome:
		args["amount"], args["to"] = rule.Amount, or(rule.To, chestWord)
	}
	return Sentence{clauseKey(rule.Verb), args}
}

// each says what a quantity counts and what each of it brings.
func (q Quantity) each(args game.Args) {
	args["times"], args["of"], args["per"], args["most"] = q.Times, string(q.Of), max(q.Per, 1), q.Most
	args["guild"], args["type"], args["in"] = or(q.Guild, noneWord), or(q.Type, noneWord), or(q.In, noneWord)
}

// score is the quantity as points.
func (q Quantity) score() Sentence {
	if q.Fixed() {
		return Sentence{"treesociety.points", game.Args{"points": q.Number}}
	}
	args := game.Args{}
	q.each(args)
	return Sentence{"treesociety.points-per", args}
}

// cardPhrases are the keys of the material in words: names, and the sentences
// of cards.
func cardPhrases() []game.Phrase {
	counted := []string{"times", "of", "per", "most", "guild", "type", "in"}
	list := []game.Phrase{
		game.Say("treesociety.clause.first"),
		game.Say("treesociety.clause.do"),
		game.Say("treesociety.clause.while"),
		game.Say("treesociety.clause.coins", "place", "to", "amount"),
		game.Say("treesociety.clause.coins-per", append([]string{"place", "to"}, counted...)...),
		game.Say("treesociety.clause.pay", "place", "amount"),
		game.Say("treesociety.clause.unlock", "place", "amount"),
		game.Say("treesociety.clause.sell", "place", "more"),
		game.Say("treesociety.clause.take", "place"),
		game.Say("treesociety.clause.discard", "place", "from", "other"),
		game.Say("treesociety.clause.refresh", "place", "rows"),
		game.Say("treesociety.clause.draw-fruit", "place", "count"),
		game.Say("treesociety.clause.draw-guild", "place", "count", "price", "less"),
		game.Say("treesociety.clause.draw-fruit-several", "place", "count", "keep"),
		game.Say("treesociety.clause.draw-guild-several", "place", "count", "keep", "price", "less"),
		game.Say("treesociety.clause.raise-to", "place", "guild", "other", "price", "less", "level", "or"),
		game.Say("treesociety.clause.build-to", "place", "guild", "other", "price", "less", "level", "or"),
		game.Say("treesociety.clause.found", "place", "guild", "price", "less"),
		game.Say("treesociety.clause.raise", "place", "guild", "other", "price", "less"),
		game.Say("treesociety.clause.build", "place", "guild", "other", "price", "less"),
		game.Say("treesociety.clause.cheaper", "place", "build", "guild", "half", "less"),
		game.Say("treesociety.clause.better-sale", "place", "amount", "type"),
		game.Say("treesociety.clause.bigger-purse", "place", "amount"),
		game.Say("treesociety.clause.income", "place", "amount", "to"),
		game.Say("treesociety.points", "points"),
		game.Say("treesociety.points-per", counted...),
	}
	var chosen []game.Phrase // who chooses the guilds of a game reads of them before
	for _, guild := range guildNames() {
		chosen = append(chosen, game.Say("treesociety.guild."+guild))
		list = append(list, game.Say("treesociety.of."+guild))
	}
	for _, fruit := range fruitNames() {
		list = append(list, game.Say("treesociety.fruit."+fruit), game.Say("treesociety.fruits."+fruit))
	}
	for _, action := range actionNames() {
		list = append(list, game.Say("treesociety.action."+action))
	}
	named := map[string]bool{}
	for _, p := range printed() {
		for _, c := range p.box.Cards {
			if !named[c.Name] {
				list = append(list, game.Say("treesociety.card."+c.Name))
			}
			named[c.Name] = true
		}
	}
	return append(list, game.Needed(game.WhenNamed, chosen...)...) // no card lies there before chance has dealt it
}
