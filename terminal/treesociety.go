package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/game"
	"copse/games/treesociety"
)

// treesocietyPhrases are what the face of Tree Society says beside the game's
// own phrases.
func treesocietyPhrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("play.treesociety.title", "round", "last", "over", "guilds", "fruit"),
		say("play.treesociety.card", "card", "guild", "banners"),
		say("play.treesociety.level", "level", "price", "short"),
		say("play.treesociety.built", "level"),
		say("play.treesociety.seat", "name", "purse", "chest", "banners", "points"),
		say("play.treesociety.fruit", "fruit", "number", "leaf"),
		say("play.treesociety.sale", "fruit", "coins"),
		say("play.treesociety.drawn", "cards"),
		say("play.treesociety.drawn.guilds"),
		say("play.treesociety.completed", "cards"),
		say("play.treesociety.row", "fruits"),
		say("play.treesociety.prices", "prices"),
		say("play.treesociety.stall", "fruits"),
		say("play.treesociety.ask.job", "card", "level", "words"),
		say("play.treesociety.move.fruit", "fruit", "do", "coins", "action"),
		say("play.treesociety.handed", "seat", "fruits"),
		say("play.treesociety.sheet", "over"),
	}
	for _, ask := range []string{"draft", "sell", "build", "use", "found", "raise", "take", "row", "discard", "keep", "room"} {
		list = append(list, say("play.treesociety.ask."+ask, "seat"))
	}
	for _, word := range []string{
		"market", "top", "bottom", "gap", "free", "dash", "help",
		"typed.sell", "typed.found", "typed.raise", "typed.use", "typed.action", "typed.take", "typed.keep", "typed.row", "typed.discard", "typed.rest",
		"sign.number", "sign.leaf", "sign.levels",
	} {
		list = append(list, say("play.treesociety."+word))
	}
	for _, do := range treesocietyDeeds() {
		list = append(list, say("play.treesociety.word."+do))
	}
	return list
}

// treesocietyDeeds are the moves that may be typed in words.
func treesocietyDeeds() []string {
	return []string{"draft", "sell", "found", "raise", "action", "use", "skip", "take", "row", "keep", "keep-none", "discard", "rest"}
}

// treesocietyFace shows both markets and all sections, with what can be built and
// what that costs.
type treesocietyFace struct {
	plainFace
	printed treesociety.PrintedView // what stands on the cards; a sitting has one box
}

// grove is a scene of Tree Society, read from its JSON.
type grove struct {
	treesociety.View
	cards  []treesociety.CardView
	fruits []treesociety.FruitView
	quotes map[int]treesociety.QuoteView // by card
}

func (f *treesocietyFace) grove(view game.Position) *grove {
	if f.printed.Cards == nil {
		mustRead(view.Printed(), &f.printed)
	}
	g := &grove{cards: f.printed.Cards, fruits: f.printed.Fruits, quotes: map[int]treesociety.QuoteView{}}
	mustRead(view.View(), &g.View)
	for _, q := range g.Quotes {
		g.quotes[q.Card] = q
	}
	return g
}

func (f *treesocietyFace) names(view game.Position) []string {
	var list []string
	for _, player := range f.grove(view).Players {
		list = append(list, f.word("treesociety.seat", player.Name))
	}
	return list
}

func (f *treesocietyFace) draw(sc *scene) string {
	g := f.grove(sc.now)
	parts := []string{f.title(g), f.market(g, sc.whole), f.stall(g)}
	if len(g.Shown) > 0 {
		parts = append(parts, f.shown(g, sc.whole))
	}
	standing := sc.now.Standing()
	for seat := range g.Players {
		parts = append(parts, f.player(g, seat, int(sc.now.ToAct()) == seat, standing.Seats[seat].Total, sc.whole))
	}
	return strings.Join(parts, "\n\n")
}

func (f *treesocietyFace) title(g *grove) string {
	last := 0
	if g.Last != nil {
		last = *g.Last
	}
	return wrap(f.bold(f.say("play.treesociety.title", game.Args{
		"round": g.Round, "last": last, "over": g.Asked == "over", "guilds": len(g.Deck), "fruit": len(g.Orchard),
	})), f.width, "", "")
}

// cardName is what a guild card is called.
func (f *treesocietyFace) cardName(g *grove, id int) string {
	return f.word("treesociety.card", g.cards[id-1].Name)
}

// header is a guild card on one line: number, name, guild and banners.
func (f *treesocietyFace) header(g *grove, id int) string {
	c := &g.cards[id-1]
	return strconv.Itoa(id) + " " + f.say("play.treesociety.card", game.Args{
		"card": f.cardName(g, id), "guild": c.Guild, "banners": c.Banners,
	})
}

// words is what a level does and scores.
func (f *treesocietyFace) words(g *grove, id, level int) string {
	lw := &g.cards[id-1].Words[level-1]
	said := []string{}
	for _, s := range lw.Effect {
		said = append(said, f.say(s.Key, s.Args))
	}
	if len(said) == 0 {
		said = append(said, f.say("play.treesociety.dash", nil))
	}
	return strings.Join(said, " ") + " (" + f.say(lw.Points.Key, lw.Points.Args) + ")"
}

// level is a level of a card on lines of their own: its price, what it does and
// what it scores.
func (f *treesocietyFace) level(g *grove, id, level int, indent string) string {
	args := game.Args{"level": level, "price": g.cards[id-1].Levels[level-1].Cost, "short": 0}
	if q, ok := g.quotes[id]; ok && q.Level == level {
		args["price"], args["short"] = q.Price, q.Short
	}
	return wrap(f.say("play.treesociety.level", args)+" "+f.words(g, id, level), f.width, indent, indent+"  ")
}

// guild is a card that may be built further: the next level, or all levels from
// there on.
func (f *treesocietyFace) guild(g *grove, id, built int, whole bool, indent string) string {
	head := f.header(g, id)
	if built > 0 {
		head += ", " + f.say("play.treesociety.built", game.Args{"level": built})
	}
	lines := []string{wrap(head, f.width, indent, indent+"  ")}
	for level := built + 1; level <= 3 && (whole || level == built+1); level++ {
		lines = append(lines, f.level(g, id, level, indent+"  "))
	}
	return strings.Join(lines, "\n")
}

// market is the guild market, the top row first.
func (f *treesocietyFace) market(g *grove, whole bool) string {
	lines := []string{f.bold(f.say("play.treesociety.market", nil))}
	for _, row := range []struct {
		key   string
		cards []*int
	}{{"top", g.Market.Top}, {"bottom", g.Market.Bottom}} {
		lines = append(lines, " "+f.say("play.treesociety."+row.key, nil))
		for _, id := range row.cards {
			if id == nil {
				lines = append(lines, "   "+f.say("play.treesociety.gap", nil))
			} else {
				lines = append(lines, f.guild(g, *id, 0, whole, "   "))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// shown is what an effect has revealed.
func (f *treesocietyFace) shown(g *grove, whole bool) string {
	if g.Fruit {
		return wrap(f.say("play.treesociety.drawn", game.Args{"cards": f.fruitsOf(g, g.Shown)}), f.width, "", "  ")
	}
	lines := []string{f.say("play.treesociety.drawn.guilds", nil)}
	for _, id := range g.Shown {
		lines = append(lines, f.guild(g, id, 0, whole, "   "))
	}
	return strings.Join(lines, "\n")
}

// fruitName is a fruit card with its number, and its leaf.
func (f *treesocietyFace) fruitName(g *grove, id int) string {
	c := &g.fruits[id-1]
	return f.say("play.treesociety.fruit", game.Args{"fruit": c.Type, "number": id, "leaf": c.Leaf})
}

func (f *treesocietyFace) fruitsOf(g *grove, ids []int) []string {
	list := []string{}
	for _, id := range ids {
		list = append(list, f.fruitName(g, id))
	}
	return list
}

// stall is the fruit market, and what sales would pay.
func (f *treesocietyFace) stall(g *grove) string {
	var ids []int
	for _, id := range g.Stall {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	text := wrap(f.say("play.treesociety.stall", game.Args{"fruits": f.fruitsOf(g, ids)}), f.width, "", "  ")
	var prices []string
	for _, p := range g.Prices {
		n := p.Market + p.Bonus
		for _, k := range p.Seats {
			n += k
		}
		prices = append(prices, f.say("play.treesociety.sale", game.Args{"fruit": p.Type, "coins": n}))
	}
	if prices != nil {
		text += "\n" + wrap(f.say("play.treesociety.prices", game.Args{"prices": prices}), f.width, "", "  ")
	}
	return text
}

// player is the section of a seat.
func (f *treesocietyFace) player(g *grove, seat int, acts bool, total game.Points, whole bool) string {
	p := &g.Players[seat]
	name := f.seats[seat]
	if acts {
		name = "→ " + f.bold(name)
	}
	if f.roles[seat] != "" {
		name += " (" + f.roles[seat] + ")"
	}
	head := f.say("play.treesociety.seat", game.Args{"name": name, "purse": p.Purse, "chest": p.Chest, "banners": p.All, "points": total})
	lines := []string{wrap(head, f.width, "", "  ")}
	lines = append(lines, wrap(f.say("play.treesociety.row", game.Args{"fruits": f.fruitsOf(g, p.Row)}), f.width, "   ", "     "))
	for _, at := range p.Progress {
		switch {
		case at != nil:
			lines = append(lines, f.guild(g, at.Card, at.Level, whole, "   "))
		case whole:
			lines = append(lines, "   "+f.say("play.treesociety.free", nil))
		}
	}
	if len(p.Completed) > 0 {
		var names []string
		for _, id := range p.Completed {
			names = append(names, strconv.Itoa(id)+" "+f.cardName(g, id))
		}
		lines = append(lines, wrap(f.say("play.treesociety.completed", game.Args{"cards": names}), f.width, "   ", "     "))
	}
	return strings.Join(lines, "\n")
}

// ask says what is to be chosen; of an effect, which card it belongs to and what
// it does.
func (f *treesocietyFace) ask(sc *scene) string {
	g := f.grove(sc.now)
	what := g.Asked
	if what == "discard" && g.Job != nil && g.Job.Stage == "asked" {
		what = "room" // the effect needs a discard first
	}
	asked := f.say("play.treesociety.ask."+what, game.Args{"seat": sc.now.ToAct()})
	if g.Job == nil {
		return asked
	}
	return f.say("play.treesociety.ask.job", game.Args{
		"card": f.cardName(g, g.Job.Card), "level": g.Job.Level, "words": f.words(g, g.Job.Card, g.Job.Level),
	}) + " " + asked
}

// treesocietyMove is what is read of a move.
type treesocietyMove struct {
	Do   string `json:"do"`
	Card int    `json:"card"`
	Row  string `json:"row"`
}

// treesocietyFacts is what is read of the facts of a move.
type treesocietyFacts struct {
	Coins  int    `json:"coins"`
	Price  int    `json:"price"`
	Level  int    `json:"level"`
	Lost   int    `json:"lost"`
	Action string `json:"action"`
	Total  int    `json:"total"`
}

// named is how a move is named in words, as far as they go.
func (f *treesocietyFace) named(g *grove, m treesocietyMove) string {
	switch {
	case m.Card == 0:
		return m.Row
	case m.Do == "sell" || m.Do == "take" || m.Do == "draft" || m.Do == "keep" && g.Fruit:
		return f.word("treesociety.fruit", g.fruits[m.Card-1].Type)
	}
	return f.cardName(g, m.Card)
}

func (f *treesocietyFace) menu(sc *scene, only string) string {
	g := f.grove(sc.now)
	facts := sc.facts()
	now := int(sc.now.Standing().Seats[max(sc.now.ToAct(), 0)].Total)
	var rows [][]string
	for i, raw := range sc.moves {
		var m treesocietyMove
		var fact treesocietyFacts
		mustRead(raw, &m)
		decode(facts[i], &fact)
		text := f.choice(g, m, &fact)
		if !strings.Contains(fold(text), fold(only)) {
			continue
		}
		change := ""
		if fact.Total != now {
			change = signed(fact.Total - now)
		}
		rows = append(rows, []string{f.number(i), text, change})
	}
	if rows == nil {
		return ""
	}
	return strings.Join(align(narrow(rows, f.width), 0, 2), "\n")
}

// choice is a move in words, with its number.
func (f *treesocietyFace) choice(g *grove, m treesocietyMove, fact *treesocietyFacts) string {
	args := game.Args{}
	switch {
	case m.Do == "sell" || m.Do == "take" || m.Do == "draft" || m.Do == "keep" && g.Fruit:
		args["fruit"], args["do"], args["coins"], args["action"] = f.fruitName(g, m.Card), m.Do, fact.Coins, or(fact.Action, "none")
		return f.say("play.treesociety.move.fruit", args)
	case m.Do == "action":
		return f.say("treesociety.move.action", game.Args{"action": fact.Action, "coins": fact.Coins})
	case m.Do == "keep":
		args["card"] = strconv.Itoa(m.Card) + " " + f.cardName(g, m.Card)
		return f.say("treesociety.move.keep", args)
	case m.Do == "row":
		return f.say("treesociety.move.row", game.Args{"row": m.Row})
	case m.Do == "rest":
		return f.say("treesociety.move.rest", game.Args{"lost": fact.Lost})
	case m.Do == "use" || m.Do == "skip":
		args["card"] = g.cards[g.Job.Card-1].Name
	case m.Card != 0:
		args["card"], args["price"], args["level"] = g.cards[m.Card-1].Name, fact.Price, fact.Level
		return f.say("treesociety.move."+m.Do, args) + " – " + strconv.Itoa(m.Card)
	}
	return f.say("treesociety.move."+m.Do, args)
}

// or is a word, or another where there is none.
func or(word, none string) string {
	if word == "" {
		return none
	}
	return word
}

// read understands "sell 17", "found 40", "found rope bridge", "row top", "use" and
// so on: a deed, and a card by its number or by the beginning of its name.
func (f *treesocietyFace) read(sc *scene, typed string) (reading, bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(fold(typed)), " ")
	rest = strings.TrimSpace(rest)
	for _, do := range treesocietyDeeds() {
		if !f.means(word, "play.treesociety.word."+do) {
			continue
		}
		switch do {
		case "action", "use", "skip", "keep-none", "rest":
			if rest == "" {
				return move(`{"do":%q}`, do)
			}
		case "row":
			for _, row := range []string{"top", "bottom"} {
				if rest != "" && f.begins(rest, "play.treesociety."+row) {
					return move(`{"do":"row","row":%q}`, row)
				}
			}
		default:
			if n, err := strconv.Atoi(rest); err == nil {
				return move(`{"do":%q,"card":%d}`, do, n)
			}
			if m, ok := f.byName(sc, do, rest); ok {
				return m, true
			}
		}
	}
	return reading{}, false
}

// byName finds a listed move by the beginning of the name of its card.
func (f *treesocietyFace) byName(sc *scene, do, name string) (reading, bool) {
	if name == "" {
		return reading{}, false
	}
	g := f.grove(sc.now)
	for i, raw := range sc.moves {
		var m treesocietyMove
		if mustRead(raw, &m); m.Do == do && strings.HasPrefix(fold(f.named(g, m)), name) {
			return reading{moves: sc.moves[i : i+1]}, true
		}
	}
	return reading{}, false
}

// tell tells a turn as a story on one line; what is dealt at first seat by seat,
// without the markets, which everybody sees; and the end line by line.
func (f *treesocietyFace) tell(events []game.Event) []string {
	var lines []string
	last := "none yet"
	setup := len(events) > 0 && slices.Contains([]string{"treesociety.event.start", "treesociety.event.guild"}, events[0].Key)
	for i := 0; i < len(events); i++ {
		e, line := events[i], "turn"
		switch key := strings.TrimPrefix(e.Key, "treesociety.event."); key {
		case "guild", "fruit":
			if setup {
				continue
			}
		case "handed":
			n := run(events[i:], e.Key)
			for n > 0 && events[i+n-1].Args["seat"] != e.Args["seat"] {
				n--
			}
			e, line = f.handed(events[i:i+n]), key
			i += n - 1
		case "start", "draft":
			line, setup = key, setup && key == "start"
		case "over":
			line = key
		case "sell":
			setup = false
		case "score", "won", "won.tie":
			line = fmt.Sprint(key, e.Args["seat"])
		}
		said := f.say(e.Key, e.Args)
		if line == last {
			lines[len(lines)-1] += " " + said
		} else {
			lines = append(lines, said)
		}
		last = line
	}
	return lines
}

// handed says what a seat is dealt at first.
func (f *treesocietyFace) handed(events []game.Event) game.Event {
	var fruits []string
	for _, e := range events {
		fruits = append(fruits, fmt.Sprint(e.Args["fruit"]))
	}
	return game.Event{Key: "play.treesociety.handed", Args: game.Args{"seat": events[0].Args["seat"], "fruits": fruits}}
}

// sheet explains the score, seat by seat and card by card.
func (f *treesocietyFace) sheet(view game.Position) string {
	g := f.grove(view)
	standing := view.Standing()
	parts := []string{wrap(f.say("play.treesociety.sheet", game.Args{"over": g.Asked == "over"}), f.width, "", "")}
	lines := view.Sheet()
	for seat, name := range f.seats {
		var rows [][]string
		for _, line := range lines {
			var at struct {
				Seat int `json:"seat"`
			}
			if decode(line.Args, &at); at.Seat == seat {
				rows = append(rows, []string{"", f.say(line.Key, line.Args), points(line.Points[seat])})
			}
		}
		for i, part := range []string{"inProgress", "completed"} {
			rows = append(rows, []string{"", f.say("treesociety.part."+part, nil), points(standing.Seats[seat].Parts[i])})
		}
		rows = append(rows, []string{"", f.say("play.total", nil), points(standing.Seats[seat].Total)})
		parts = append(parts, f.bold(name)+"\n"+strings.Join(align(narrow(rows, f.width), 2), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

func (f *treesocietyFace) help() string {
	first := func(do string) string { return strings.Fields(f.say("play.treesociety.word."+do, nil))[0] }
	explain := func(rows ...[]string) string {
		for _, row := range rows {
			row[1] = f.say("play.treesociety."+row[1], nil)
		}
		return hang(rows, f.width)
	}
	return strings.Join([]string{
		wrap(f.say("play.treesociety.help", nil), f.width, "", "") + "\n",
		explain(
			[]string{first("sell") + " 17", "typed.sell"},
			[]string{first("found") + " 40", "typed.found"},
			[]string{first("raise") + " 40", "typed.raise"},
			[]string{first("use") + ", " + first("skip"), "typed.use"},
			[]string{first("action"), "typed.action"},
			[]string{first("take") + " 17", "typed.take"},
			[]string{first("keep") + " 17, " + first("keep-none"), "typed.keep"},
			[]string{first("row") + " " + strings.Fields(fold(f.say("play.treesociety.top", nil)))[0], "typed.row"},
			[]string{first("discard") + " 40", "typed.discard"},
			[]string{first("rest"), "typed.rest"},
		),
		explain(
			[]string{"40", "sign.number"},
			[]string{"*", "sign.leaf"},
			[]string{"1, 2, 3", "sign.levels"},
		),
	}, "\n")
}
