package treesociety

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Tests are played with a plain deck of the size of the house deck, into which
// each puts the cards it is about. Architects are cards 1 to 13, of which 1 to 4
// are starting cards, bankers 14 to 25, merchants 26 to 37, writers 38 to 49,
// botanists 50 to 61, explorers 62 to 73. All cost 2, 3 and 4, score 1, 2 and 4,
// have one banner and no effect. Apples are fruit cards 1 to 15, cherries 16 to
// 30, grapes 31 to 45, blueberries 46 to 60, oranges 61 to 75; the last five of
// each are marked 3-4. All put one coin into the chest, and none has a leaf.

// edit changes a deck.
type edit func(*Box)

func plainBox(t *testing.T, edits ...edit) *Box {
	t.Helper()
	box := &Box{Game: "treesociety", Coins: []Coins{{1, 0}, {1, 1}, {2, 0}, {2, 1}}}
	for g, guild := range guildNames() {
		for n := range 12 + 1/(g+1) {
			id := len(box.Cards) + 1
			box.Cards = append(box.Cards, Card{
				ID: id, Name: fmt.Sprintf("%s %d", guild, n+1), Guild: guild, Banners: 1, Start: id <= 4,
				Levels: []Level{{Cost: 2, Points: Quantity{Number: 1}}, {Cost: 3, Points: Quantity{Number: 2}}, {Cost: 4, Points: Quantity{Number: 4}}},
			})
		}
	}
	for _, fruit := range fruitNames() {
		for n := range 15 {
			box.Fruits = append(box.Fruits, Fruit{ID: len(box.Fruits) + 1, Type: fruit, Action: actionChest, Coins: 1, Crowd: n >= 10})
		}
	}
	for _, change := range edits {
		change(box)
	}
	if err := box.Check(); err != nil {
		t.Fatal(err)
	}
	return box
}

// effect gives a level of a card an effect, as the box writes it.
func effect(id, level int, text string) edit {
	return func(box *Box) {
		e, err := readEffect(json.RawMessage(text))
		if err != nil {
			panic(err)
		}
		box.Cards[id-1].Levels[level-1].Effect = e
	}
}

// do is the effect of one list of clauses.
func do(id, level int, clauses string) edit { return effect(id, level, `{"do":[`+clauses+`]}`) }

func costing(id, one, two, three int) edit {
	return func(box *Box) {
		for i, cost := range []int{one, two, three} {
			box.Cards[id-1].Levels[i].Cost = cost
		}
	}
}

func scoring(id, level int, points string) edit {
	return func(box *Box) {
		q, err := readQuantity(game.ReadObject([]byte(`{"points":`+points+`}`)), "points")
		if err != nil {
			panic(err)
		}
		box.Cards[id-1].Levels[level-1].Points = q
	}
}

func waving(id, banners int) edit { return func(box *Box) { box.Cards[id-1].Banners = banners } }

func acting(id int, action string) edit {
	return func(box *Box) {
		f := &box.Fruits[id-1]
		f.Action = action
		if action != actionChest {
			f.Coins = 0
		}
	}
}

func leafy(id int) edit { return func(box *Box) { box.Fruits[id-1].Leaf = true } }

// plainRules are rules with such a deck, the first four guilds and no starting
// cards.
func plainRules(t *testing.T, seats int, edits ...edit) *Rules {
	t.Helper()
	options := UsualOptions()
	options.Starts = false
	return New(seats, plainBox(t, edits...), options)
}

// version1 are the same rules as they were in version 1.
func version1(r *Rules) *Rules { return NewVersion(r.seats, r.box, r.options, 1) }

// version2 are the same rules as they were in version 2.
func version2(r *Rules) *Rules { return NewVersion(r.seats, r.box, r.options, 2) }

// table draws a position. A line is a player, a market or what is going on;
// whatever is not there lies in the decks.
//
//	0: purse 5 chest 1 row 1 16 pile 2 progress 14/1 - 20/2 completed 30 31
//	1: purse 1 row 3
//	market 40 41 - top 42 - 43
//	stall 10 25 - 50 70
//	discards 44
//	turn 0 round 3 build sold 7 used
//	last 4 banners
//
// "turn 0 sell" is seat 0's to sell; "build" in mid-turn, with what was sold and
// whether the fruit action is used; "take" the take at rest.
func tableBy(t *testing.T, r *Rules, picture string) Position {
	t.Helper()
	s := r.blank
	s.phase, s.need, s.market, s.stall = selling, needNone, [slots]uint8{}, [widest]uint8{}
	used, usedFruit := set{}, set{}
	number := func(word string) uint8 {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > 255 {
			t.Fatalf("%q is no number in\n%s", word, picture)
		}
		return uint8(n)
	}
	guild := func(word string) uint8 {
		if word == "-" {
			return 0
		}
		id := number(word)
		if used.has(id) {
			t.Fatalf("guild %d is twice in\n%s", id, picture)
		}
		used.add(id)
		return id
	}
	fruit := func(word string) uint8 {
		if word == "-" {
			return 0
		}
		id := number(word)
		if usedFruit.has(id) || !s.orchard.has(id) {
			t.Fatalf("fruit %d is twice, or not in the game, in\n%s", id, picture)
		}
		usedFruit.add(id)
		return id
	}
	for seat := range r.seats {
		s.player[seat].purse, s.player[seat].chest = 0, 0
	}
	for line := range strings.Lines(strings.TrimSpace(picture)) {
		words := strings.Fields(line)
		head, key, n := strings.TrimSuffix(words[0], ":"), "", 0
		if head != words[0] {
			seat := int(number(head))
			p := &s.player[seat]
			for _, w := range words[1:] {
				switch w {
				case "purse", "chest", "row", "pile", "progress", "completed":
					key, n = w, 0
					continue
				}
				switch key {
				case "purse":
					p.purse = uint16(number(w))
				case "chest":
					p.chest = uint16(number(w))
				case "row":
					r.own(p, fruit(w))
				case "pile":
					id := fruit(w)
					p.pile.add(id)
					p.sold[r.fruit[id].kind]++
				case "progress":
					if card, level, ok := strings.Cut(w, "/"); ok {
						p.place[n], p.level[n] = guild(card), number(level)
					}
					n++
				case "completed":
					id := guild(w)
					p.completed.add(id)
					p.banners[r.card[id].guild] += r.card[id].banners
				}
			}
			r.refit(p)
			continue
		}
		for _, w := range words[1:] {
			switch {
			case head == "market" && w == "top":
				n = columns
			case head == "market":
				s.market[n] = guild(w)
				n++
			case head == "stall":
				s.stall[n] = fruit(w)
				n++
			case head == "discards":
				s.discards.add(guild(w))
			case head == "gone": // to the sold pile of nobody: the last seat's
				id := fruit(w)
				p := &s.player[r.seats-1]
				p.pile.add(id)
				p.sold[r.fruit[id].kind]++
			case w == "sell":
				s.phase = selling
			case w == "build":
				s.phase = building
			case w == "take":
				s.phase = taking
			case w == "used":
				s.spent = 1
			case w == "banners":
				s.end |= byBanners
			case w == "fruit":
				s.end |= byFruit
			case w == "round" || w == "sold":
				key = w
			case key == "round":
				s.round, key = number(w), ""
			case key == "sold":
				id := fruit(w)
				s.apart[s.sales] = id
				s.sales++
				s.types |= 1 << r.fruit[id].kind
			case head == "turn":
				s.actor = game.Seat(number(w))
			case head == "last":
				s.last = number(w)
			}
		}
	}
	s.deck = r.blank.deck
	s.deck.without(&used)
	s.orchard.without(&usedFruit)
	for _, id := range s.stall {
		if id != 0 {
			s.visible[r.fruit[id].kind]++
		}
	}
	for seat := range r.seats {
		for k, n := range s.player[seat].unsold {
			s.visible[k] += n
		}
	}
	s.turn = (s.round-1)*uint8(r.seats) + uint8(s.actor)
	r.next(&s, nil)
	return s
}

// picture is a position that a picture draws. It makes sure that such a position
// can be sent and opened again.
func picture(t *testing.T, r *Rules, drawn string) Position {
	t.Helper()
	s := tableBy(t, r, drawn)
	raw, err := json.Marshal(r.ViewJSON(&s))
	if err != nil {
		t.Fatal(err)
	}
	back, err := r.ReadView(raw)
	if err != nil || back != s {
		t.Fatalf("what the picture shows cannot be opened: %v\n%s\n%s", err, drawn, raw)
	}
	return s
}

// draw is the picture of a position, with what waits.
func (r *Rules) draw(s *Position) string {
	var b strings.Builder
	ids := func(name string, list []int) {
		if len(list) > 0 {
			fmt.Fprintf(&b, " %s", name)
			for _, id := range list {
				fmt.Fprintf(&b, " %d", id)
			}
		}
	}
	gaps := func(list []uint8) {
		for _, id := range list {
			if id == 0 {
				b.WriteString(" -")
			} else {
				fmt.Fprintf(&b, " %d", id)
			}
		}
	}
	for seat := range r.seats {
		p := &s.player[seat]
		fmt.Fprintf(&b, "%d: purse %d", seat, p.purse)
		if p.chest > 0 {
			fmt.Fprintf(&b, " chest %d", p.chest)
		}
		ids("row", p.row.list())
		ids("pile", p.pile.list())
		if p.inProgress() > 0 {
			b.WriteString(" progress")
			for i, id := range p.place {
				if id == 0 {
					b.WriteString(" -")
				} else {
					fmt.Fprintf(&b, " %d/%d", id, p.level[i])
				}
			}
		}
		ids("completed", p.completed.list())
		b.WriteString("\n")
	}
	b.WriteString("market")
	gaps(s.market[:columns])
	b.WriteString(" top")
	gaps(s.market[columns:])
	b.WriteString("\nstall")
	gaps(s.stall[:r.wide])
	b.WriteString("\n")
	if !s.discards.empty() {
		b.WriteString("discards")
		ids("", s.discards.list())
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "turn %d round %d %s", s.actor, s.round, phaseNames()[s.phase])
	if s.sales > 0 {
		b.WriteString(" sold")
		gaps(s.apart[:s.sales])
	}
	if s.spent != 0 {
		b.WriteString(" used")
	}
	if r.ToAct(s) == game.Chance {
		fmt.Fprintf(&b, " draws %s", r.due(s))
	}
	if j := &s.job; j.stage != idle {
		fmt.Fprintf(&b, " %s %d/%d", stageNames()[j.stage], j.card, j.level)
	}
	if s.acting != noAction {
		fmt.Fprintf(&b, " action %s", actionNames()[s.acting-1])
	}
	if s.pick.card != 0 {
		kept := s.pick.kept
		if s.job.stage == demanded {
			fmt.Fprintf(&b, " by %d/%d", s.pick.card, s.pick.level)
			kept--
		}
		fmt.Fprintf(&b, " kept %d", kept)
	}
	for i := int(s.waits) - 1; i >= 0; i-- {
		if id := s.waiting[i]; len(r.card[id].level[0].do) > 0 {
			fmt.Fprintf(&b, " then %d", id)
		}
	}
	b.WriteString("\n")
	if s.end != 0 {
		fmt.Fprintf(&b, "last %d", s.last)
		for i, why := range endNames() {
			if s.end>>i&1 != 0 {
				fmt.Fprintf(&b, " %s", why)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shows fails unless the lines of a picture are among those of the position.
func shows(t *testing.T, r *Rules, s *Position, picture string) {
	t.Helper()
	is := map[string]bool{}
	for line := range strings.Lines(r.draw(s)) {
		is[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(strings.TrimSpace(picture)) {
		if line = strings.Join(strings.Fields(line), " "); !is[line] {
			t.Errorf("%q is not in\n%s", line, r.draw(s))
		}
	}
}

// play makes moves, each by whoever is to act: a deed and a card, "found 14", or
// "row top". It fails where one is refused.
func play(t *testing.T, r *Rules, s *Position, moves ...string) *game.Log {
	t.Helper()
	var written []string
	for _, m := range moves {
		written = append(written, typed(m))
	}
	return gametest.Play[Position, Move](t, r, s, written...)
}

// typed is a move as JSON.
func typed(m string) string {
	do, what, ok := strings.Cut(m, " ")
	switch {
	case !ok:
		return fmt.Sprintf(`{"do":%q}`, do)
	case do == "row":
		return fmt.Sprintf(`{"do":%q,"row":%q}`, do, what)
	}
	return fmt.Sprintf(`{"do":%q,"card":%s}`, do, what)
}

// may fails unless these are all the moves there are, in any order, but for
// discards where none is named.
func may(t *testing.T, r *Rules, s *Position, moves ...string) {
	t.Helper()
	want := map[string]bool{}
	discards := false
	for _, m := range moves {
		want[typed(m)] = true
		discards = discards || strings.HasPrefix(m, "discard")
	}
	for _, m := range r.Moves(s, r.ToAct(s), nil) {
		text := string(r.AppendMove(nil, m))
		if m.do() == Discard && !discards {
			continue
		}
		if !want[text] {
			t.Errorf("%s is allowed, and should not be", text)
		}
		delete(want, text)
	}
	for text := range want {
		t.Errorf("%s is not allowed, and should be", text)
	}
}

// refused fails unless the move, by whoever is to act, is refused with this key
// by this rule, with these arguments as JSON.
func refused(t *testing.T, r *Rules, s *Position, move, rule, key, args string) {
	t.Helper()
	if !strings.HasPrefix(move, "{") {
		move = typed(move)
	}
	_, err := gametest.Ask[Position, Move](r, s, move)
	if want := fmt.Sprintf("treesociety.refuse.%s %s (rule %s)", key, args, rule); err == nil || err.Error() != want {
		t.Errorf("%s:\n got %v\nwant %s", move, err, want)
	}
}

// tells fails unless an event with this key and these arguments, as JSON, was
// told.
func tells(t *testing.T, log *game.Log, key, args string) {
	t.Helper()
	var all []string
	for _, e := range log.Events {
		raw, err := json.Marshal(e.Args)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Key+" "+string(raw))
		if e.Key == "treesociety.event."+key && string(raw) == args {
			return
		}
	}
	t.Errorf("%s %s was not told, but\n%s", key, args, strings.Join(all, "\n"))
}
