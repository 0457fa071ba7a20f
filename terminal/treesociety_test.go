package terminal

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"copse/game"
	"copse/games/treesociety"
	"copse/i18n"
)

// groveTable is a face and a position of Tree Society, after moves that were typed.
// Cards come in the order of the box, except those that are named.
type groveTable struct {
	*treesocietyFace
	now game.Position
}

// smallBox is a deck with three cards that do something and many that do not, so
// that a change of the house deck changes no picture here.
func smallBox() json.RawMessage {
	var cards, fruits []string
	card := func(guild string, start bool, first string) {
		id := len(cards) + 1
		cards = append(cards, fmt.Sprintf(`{"id":%d,"name":"%s %d","guild":"%s","banners":1,"start":%t,"levels":[`+
			`{"cost":2%s,"points":1},{"cost":3,"points":2},{"cost":4,"points":{"times":2,"of":"banners"}}]}`, id, guild, id, guild, start, first))
	}
	for _, guild := range []string{"architects", "bankers", "merchants", "writers", "botanists", "explorers"} {
		for i := range 5 {
			first := ""
			switch fmt.Sprint(guild, i) {
			case "bankers0":
				first = `,"effect":{"do":[{"verb":"sell","more":1}]}`
			case "bankers1":
				first = `,"effect":{"while":[{"verb":"cheaper","half":true}]}`
			case "bankers2":
				first = `,"effect":{"do":[{"verb":"draw-fruit","count":2}]}`
			}
			card(guild, guild == "architects", first)
		}
	}
	for _, fruit := range []string{"apple", "cherry", "grape", "blueberry", "orange"} {
		for i := range 6 {
			action := `"chest","coins":2`
			if i == 0 {
				action = `"row"`
			}
			fruits = append(fruits, fmt.Sprintf(`{"id":%d,"type":"%s","action":%s,"leaf":%t}`, len(fruits)+1, fruit, action, i == 1))
		}
	}
	return fmt.Appendf(nil, `{"startingCards":false,"box":{"cards":[%s],"fruits":[%s]}}`, strings.Join(cards, ","), strings.Join(fruits, ","))
}

func newGroveTable(t *testing.T, lang string) *groveTable {
	t.Helper()
	now, err := game.Of(treesociety.Game()).Start(game.Settings{Seats: 2, Options: smallBox()})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{locale: i18n.Pick(lang), width: 80, roles: []string{"", ""}}
	table := &groveTable{&treesocietyFace{plainFace: plainFace{d}}, now}
	d.seats = table.names(now)
	table.deal(t, `{"do":"guild","card":6}`, `{"do":"guild","card":7}`, `{"do":"guild","card":8}`)
	for table.now.ToAct() == game.Chance {
		table.deal(t, string(table.now.Moves()[0]))
	}
	return table
}

func (b *groveTable) deal(t *testing.T, moves ...string) {
	t.Helper()
	for _, m := range moves {
		next, _, err := b.now.Play(b.now.ToAct(), json.RawMessage(m))
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		b.now = next
	}
}

// typed plays what is typed, and what chance does after it, and gives the events.
func (b *groveTable) typed(t *testing.T, lines ...string) (told []game.Event) {
	t.Helper()
	for _, line := range lines {
		r, ok := b.read(b.scene(), line)
		if !ok || len(r.moves) != 1 {
			t.Fatalf("%q is not read as a move", line)
		}
		m := r.moves[0]
		for {
			next, events, err := b.now.Play(b.now.ToAct(), m)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			b.now, told = next, append(told, events...)
			if b.now.ToAct() != game.Chance {
				break
			}
			m = b.now.Moves()[0]
		}
	}
	return told
}

func (b *groveTable) scene() *scene {
	return &scene{now: b.now, since: b.now, moves: b.now.Moves()}
}

// reads compares lines, whatever the space between their words.
func reads(t *testing.T, got, want string) {
	t.Helper()
	squeeze := func(text string) string {
		var lines []string
		for line := range strings.Lines(strings.TrimSpace(text)) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		return strings.Join(lines, "\n")
	}
	if squeeze(got) != squeeze(want) {
		t.Errorf("the screen says\n%s\nand should say\n%s", got, want)
	}
}

func TestTheGroveInPictures(t *testing.T) {
	b := newGroveTable(t, "en")
	reads(t, b.draw(b.scene()), `
Round 1 – 14 guilds and 19 fruit cards to come

Guild market
 top row (one coin more)
   1 architects 1 (architects, 1 banner)
     1: 3 coins, 2 short. – (1 point)
   2 architects 2 (architects, 1 banner)
     1: 3 coins, 2 short. – (1 point)
   3 architects 3 (architects, 1 banner)
     1: 3 coins, 2 short. – (1 point)
 bottom row
   6 bankers 6 (bankers, 1 banner)
     1: 2 coins, 1 short. Make an extra sale that pays 1 coin more. (1 point)
   7 bankers 7 (bankers, 1 banner)
     1: 2 coins, 1 short. On this level: building costs half. (1 point)
   8 bankers 8 (bankers, 1 banner)
     1: 2 coins, 1 short. Reveal 2 fruits and keep one. (1 point)

Fruit market: apple 1, cherry 7, grape 13, blueberry 19 and orange 25
A sale would pay: apple 6, cherry 2, grape 1, blueberry 1 and orange 1

→ Maple: 1 coin, 0 banners, 0 points
   Fruits: apple 2*, apple 3 and apple 4

Oak: 1 coin and 1 in the chest, 0 banners, 0 points
   Fruits: apple 5, apple 6 and cherry 8*
`)
	reads(t, b.menu(b.scene(), ""), `
[1] Sell: apple 2* – 7 coins, then coins for the chest
[2] Sell: apple 3 – 6 coins, then coins for the chest
[3] Sell: apple 4 – 6 coins, then coins for the chest
`)
	told := b.typed(t, "sell apple", "found bankers 7", "raise 7")
	reads(t, strings.Join(b.tell(told), "\n"), `
Maple sells a fruit for 7 coins: apple, 6 visible, 1 for the leaf. Fruit action: coins for the chest (2). Maple founds bankers 7 for 2 coins. Maple raises bankers 7 to level 2 for 2 coins (3 − 1).
`)
	reads(t, b.menu(b.scene(), ""), `
[1] Found bankers 6 (2 coins) – 6               +1
[2] Found bankers 8 (2 coins) – 8               +1
[3] Found architects 1 (3 coins) – 1            +1
[4] Found architects 2 (3 coins) – 2            +1
[5] Found architects 3 (3 coins) – 3            +1
[6] Raise bankers 7 to level 3 (4 coins) – 7
[7] Fruit action: coins for the chest (2)
[8] Discard bankers 7 – 7                       −2
[9] Rest and lose 2 coins
`)
	b.typed(t, "action", "found 8")
	reads(t, b.ask(b.scene()), `bankers 8, level 1: Reveal 2 fruits and keep one. (1 point) Maple, use the effect, or skip it.`)
	b.typed(t, "use")
	reads(t, b.menu(b.scene(), ""), `
[1] Keep: cherry 9
[2] Keep: cherry 10
[3] Discard bankers 7 – 7                       −2
[4] Discard bankers 8 – 8                       −1
`)
	if !strings.Contains(b.draw(b.scene()), "Revealed: cherry 9 and cherry 10") {
		t.Errorf("what is drawn is not shown:\n%s", b.draw(b.scene()))
	}
	told = b.typed(t, "keep 10", "rest", "take orange")
	if lines := strings.Join(b.tell(told), "\n"); !strings.Contains(lines, "Maple keeps a fruit (cherry); the rest goes back into the deck.") {
		t.Errorf("the turn is told as\n%s", lines)
	}
	reads(t, strings.SplitN(b.sheet(b.now), "\n\n", 3)[1], `
Maple
  bankers 7, level 2  2
  bankers 8, level 1  1
  Cards in progress   3
  Completed cards     0
  Total               3
`)
}

// What is typed means the same in the language of the desk and in English.
func TestTheGroveReadsWords(t *testing.T) {
	for lang, lines := range map[string]map[string]string{
		"en": {"sell 2": `{"do":"sell","card":2}`, "rest": `{"do":"rest"}`, "row top": `{"do":"row","row":"top"}`, "none": `{"do":"keep-none"}`, "Found  40": `{"do":"found","card":40}`},
		"fr": {"vendre pomme": `{"do":"sell","card":2}`, "repos": `{"do":"rest"}`, "rangée haut": `{"do":"row","row":"top"}`, "elever 7": `{"do":"raise","card":7}`, "sell apple": ``, "rest": `{"do":"rest"}`},
		"it": {"vendi mela": `{"do":"sell","card":2}`, "riposa": `{"do":"rest"}`, "fila basso": `{"do":"row","row":"bottom"}`, "scarta 3": `{"do":"discard","card":3}`},
	} {
		b := newGroveTable(t, lang)
		for line, want := range lines {
			r, ok := b.read(b.scene(), line)
			got := ""
			if ok {
				got = string(r.moves[0])
			}
			if got != want {
				t.Errorf("%s: %q is read as %q, want %q", lang, line, got, want)
			}
		}
		for _, line := range []string{"", "sell", "sell unicorn", "rest now", "row", "row middle", "dance", "found bankers 99"} {
			if r, ok := b.read(b.scene(), line); ok {
				t.Errorf("%s: %q is read as %s", lang, line, r.moves)
			}
		}
	}
}

// TestAnEffectThatNeedsADiscardIsAskedForSo: the terminal says that a guild has to go
// first, and lists skip and the discards.
func TestAnEffectThatNeedsADiscardIsAskedForSo(t *testing.T) {
	options := strings.Replace(string(smallBox()), `{"cost":3,"points":2}`, `{"cost":0,"effect":{"do":[{"verb":"found"}]},"points":2}`, 1)
	options = strings.Replace(options, `"startingCards":false`, `"startingCards":true`, 1)
	options = strings.Replace(options, `"box":{`, `"box":{"coins":[{"purse":20,"chest":0},{"purse":20,"chest":0},{"purse":20,"chest":0},{"purse":20,"chest":0}],`, 1)
	now, err := game.Of(treesociety.Game()).Start(game.Settings{Seats: 2, Options: json.RawMessage(options)})
	if err != nil {
		t.Fatal(err)
	}
	for now.ToAct() == game.Chance { // seat 0 is dealt card 1
		if now, _, err = now.Play(game.Chance, now.Moves()[0]); err != nil {
			t.Fatal(err)
		}
	}
	f := newGroveTable(t, "en").treesocietyFace
	f.printed = treesociety.PrintedView{}
	for _, move := range []string{"sell", "found", "found", `{"do":"raise","card":1}`} {
		made := false
		for _, m := range now.Moves() {
			if made = strings.Contains(string(m), `"`+move+`"`) || string(m) == move; made {
				if now, _, err = now.Play(0, m); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		if !made {
			t.Fatalf("%s is not among %s", move, now.Moves())
		}
		for strings.Contains(string(now.View()), `"asked":"use"`) {
			if now, _, err = now.Play(0, json.RawMessage(`{"do":"skip"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	asked := f.ask(&scene{now: now})
	if !strings.Contains(asked, "discard one of your guilds, or skip it") {
		t.Errorf("the terminal asks: %s", asked)
	}
	for _, m := range now.Moves() {
		if text := string(m); text != `{"do":"skip"}` && !strings.HasPrefix(text, `{"do":"discard"`) {
			t.Errorf("%s is listed", text)
		}
	}
}
