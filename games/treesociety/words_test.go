package treesociety

import (
	commandline "flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"copse/game"
	"copse/i18n"
)

var update = commandline.Bool("update", false, "write testdata/cards.golden anew")

// What fits on a card.
const (
	longestHead = 18 // letters of a name
	longestRow  = 74 // letters of a level's effect, or of its points
)

// say is a sentence in a language.
func say(l *i18n.Locale, s Sentence) string { return l.Say(s.Key, s.Args, nil) }

// sayAll are sentences one after the other, as every screen says them.
func sayAll(l *i18n.Locale, list []Sentence) string {
	var said []string
	for _, s := range list {
		said = append(said, say(l, s))
	}
	return strings.Join(said, " ")
}

// name is a card's name in a language.
func name(l *i18n.Locale, c *Card) string { return l.Say("treesociety.card."+c.Name, nil, nil) }

// golden is every card in all languages, and every fruit action.
func golden(box *Box) string {
	var b strings.Builder
	for i := range box.Cards {
		c := &box.Cards[i]
		start := ""
		if c.Start {
			start = ", a starting card"
		}
		fmt.Fprintf(&b, "%d %s: %s, banners %d%s\n", c.ID, c.Name, c.Guild, c.Banners, start)
		for _, l := range i18n.Locales() {
			fmt.Fprintf(&b, "  %s %s\n", l.Tag(), name(l, c))
			for k, w := range c.Words() {
				effect := "–"
				if len(w.Effect) > 0 {
					effect = sayAll(l, w.Effect)
				}
				fmt.Fprintf(&b, "     %d for %d: %s [%s]\n", k+1, c.Levels[k].Cost, effect, say(l, w.Points))
			}
		}
	}
	b.WriteString("fruit actions\n")
	for _, l := range i18n.Locales() {
		for _, f := range []Fruit{{Action: actionSell}, {Action: actionRow}, {Action: actionTake}, {Action: actionChest, Coins: 1}, {Action: actionChest, Coins: 2}, {Action: actionBuild}} {
			fmt.Fprintf(&b, "  %s %s: %s\n", l.Tag(), l.Say("treesociety.action."+f.Action, nil, nil), say(l, f.Words()))
		}
	}
	return b.String()
}

// Every card of every house deck reads as it did when somebody last read it. To read
// it again: go test ./games/treesociety -run CardsInWords -update, and git diff.
func TestCardsInWords(t *testing.T) {
	for i, file := range []string{"testdata/cards.golden", "testdata/cards-2.golden", "testdata/cards-3.golden"} {
		got := golden(printed()[i].box)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got == string(want) {
			continue
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("line %d of %s reads\n%s\nand was\n%s\ngo test ./games/treesociety -run CardsInWords -update writes it anew", i+1, file, g[i], w[i])
			}
		}
		t.Fatalf("%s has %d lines, the cards have %d", file, len(w), len(g))
	}
}

// A card is 184 pixels wide: its name fits the head, and its texts the rows.
func TestCardsFitTheirFrames(t *testing.T) {
	for _, p := range printed() {
		cardsFit(t, p.box)
	}
}

func cardsFit(t *testing.T, box *Box) {
	for _, l := range i18n.Locales() {
		seen := map[string]bool{}
		for i := range box.Cards {
			c := &box.Cards[i]
			head := name(l, c)
			if n := utf8.RuneCountInString(head); n > longestHead || seen[head] || head == "treesociety.card."+c.Name {
				t.Errorf("%s: %q has %d letters, or is not a name of its own", l.Tag(), head, n)
			}
			seen[head] = true
			for k, w := range c.Words() {
				for _, row := range []string{sayAll(l, w.Effect), say(l, w.Points)} {
					if n := utf8.RuneCountInString(row); n > longestRow {
						t.Errorf("%s: %s, level %d: %d letters: %s", l.Tag(), head, k+1, n, row)
					}
				}
			}
		}
	}
}

// quantities are all that can be counted, in every way.
func quantities() []Quantity {
	var list []Quantity
	add := func(q Quantity) {
		for _, times := range []int{1, 2} {
			for _, per := range []int{1, 2} {
				for _, most := range []int{1, 6} {
					q.Times, q.Per, q.Most = times, per, most
					list = append(list, q)
				}
			}
		}
	}
	for _, of := range counts() {
		if of != CountTypes {
			add(Quantity{Of: of})
		}
	}
	for _, guild := range guildNames() {
		add(Quantity{Of: CountBanners, Guild: guild})
		add(Quantity{Of: CountCompleted, Guild: guild})
	}
	for _, fruit := range fruitNames() {
		add(Quantity{Of: CountSold, Type: fruit})
		add(Quantity{Of: CountUnsold, Type: fruit})
	}
	for _, in := range []string{inSold, inUnsold, inBoth} {
		add(Quantity{Of: CountTypes, In: in})
	}
	return list
}

// clauses are clauses of every verb with every field.
func clauses() []Clause {
	var list []Clause
	for _, n := range []int{1, 2} {
		list = append(list,
			Clause{Verb: VerbCoins, Amount: Quantity{Number: n}},
			Clause{Verb: VerbCoins, Amount: Quantity{Number: n}, To: chestWord},
			Clause{Verb: VerbPay, Amount: Quantity{Number: n}},
			Clause{Verb: VerbUnlock, Amount: Quantity{Number: n}},
			Clause{Verb: VerbSell, More: n},
			Clause{Verb: VerbRefresh, Rows: n},
		)
	}
	for _, q := range quantities() {
		list = append(list, Clause{Verb: VerbCoins, Amount: q}, Clause{Verb: VerbCoins, Amount: q, To: chestWord})
	}
	list = append(list, Clause{Verb: VerbUnlock}, Clause{Verb: VerbSell}, Clause{Verb: VerbTake})
	for _, other := range []bool{false, true} {
		for _, from := range []string{"", progressWord, completedWord} {
			list = append(list, Clause{Verb: VerbDiscard, From: from, Other: other})
		}
	}
	for n := 2; n <= mostDrawn; n++ {
		list = append(list, Clause{Verb: VerbDrawFruit, Count: n})
	}
	for _, price := range []Clause{{}, {Half: true}, {Free: true}, {Less: 1}, {Less: 2}} {
		for n := 2; n <= mostDrawn; n++ {
			c := price
			c.Verb, c.Count = VerbDrawGuild, n
			list = append(list, c)
		}
		for _, guild := range append(guildNames(), "") {
			c := price
			c.Verb, c.Guild = VerbFound, guild
			list = append(list, c)
			for _, other := range []bool{false, true} {
				c.Other = other
				c.Verb = VerbRaise
				list = append(list, c)
				c.Verb = VerbBuild
				list = append(list, c)
			}
		}
	}
	return list
}

// rules are rules of every verb with every field.
func rules() []Rule {
	var list []Rule
	for _, build := range []string{"", foundWord, raiseWord} {
		for _, guild := range append(guildNames(), "") {
			for _, r := range []Rule{{Half: true}, {Less: 1}, {Less: 2}} {
				r.Verb, r.Build, r.Guild = VerbCheaper, build, guild
				list = append(list, r)
			}
		}
	}
	for _, n := range []int{1, 2} {
		for _, fruit := range append(fruitNames(), "") {
			list = append(list, Rule{Verb: VerbBetterSale, Amount: n, Type: fruit})
		}
		list = append(list, Rule{Verb: VerbBiggerPurse, Amount: n}, Rule{Verb: VerbIncome, Amount: n}, Rule{Verb: VerbIncome, Amount: n, To: purseWord})
	}
	return list
}

// Whatever an owner's deck may hold is said, with the arguments that were
// declared, in all languages and places, and never do two different things say
// the same.
func TestDifferentEffectsSayDifferentThings(t *testing.T) {
	declared := map[string][]string{}
	for _, p := range cardPhrases() {
		declared[p.Key] = p.Args
	}
	for _, l := range i18n.Locales() {
		meant := map[string]string{}
		hear := func(s Sentence, what string) {
			t.Helper()
			args := slices.Sorted(slices.Values(declared[s.Key]))
			var given []string
			for arg := range s.Args {
				given = append(given, arg)
			}
			slices.Sort(given)
			if !slices.Equal(args, given) {
				t.Errorf("%s is said with %v and declared with %v", s.Key, given, args)
			}
			said := say(l, s)
			if strings.ContainsAny(said, "{}") || strings.Contains(said, "treesociety") || strings.Contains(said, "  ") || strings.Contains(said, noneWord+" ") {
				t.Errorf("%s: %s says %q", l.Tag(), what, said)
			}
			if before, ok := meant[said]; ok && before != what {
				t.Errorf("%s: %q is said of\n%s and of\n%s", l.Tag(), said, before, what)
			}
			meant[said] = what
		}
		for _, place := range []string{placeStart, placeAfter, placeThen} {
			for _, c := range clauses() {
				hear(c.sentence(place), fmt.Sprintf("%s %+v", place, c))
			}
		}
		for _, place := range []string{placeStart, placeAfter} {
			for _, r := range rules() {
				hear(r.sentence(place), fmt.Sprintf("%s %+v", place, r))
			}
		}
		for _, q := range append(quantities(), Quantity{Number: 0}, Quantity{Number: 1}, Quantity{Number: 5}) {
			hear(q.score(), fmt.Sprintf("points %+v", q))
		}
	}
}

// Numbers, genders and elisions are right, and lists run on as one text.
func TestSentencesAgree(t *testing.T) {
	for _, c := range []struct {
		effect     Effect
		en, fr, it string
	}{
		{
			Effect{Do: []Clause{{Verb: VerbCoins, Amount: Quantity{Number: 1}}}},
			"Gain 1 coin.", "Gagnez 1 pièce.", "Ottieni 1 moneta.",
		},
		{
			Effect{First: []Clause{{Verb: VerbDiscard, From: progressWord, Other: true}, {Verb: VerbCoins, Amount: Quantity{Number: 3}}}},
			"To build: discard another card in progress. Then gain 3 coins.",
			"Pour bâtir : défaussez une autre carte en cours. Puis gagnez 3 pièces.",
			"Per costruire: scarta un’altra carta in corso. Poi ottieni 3 monete.",
		},
		{
			Effect{First: []Clause{{Verb: VerbSell}}, Do: []Clause{{Verb: VerbTake}, {Verb: VerbFound, Guild: "explorers", Less: 1}}},
			"To build: make an extra sale. Once built: take a fruit from the market. Then found an explorer card for 1 coin less.",
			"Pour bâtir : faites une vente supplémentaire. Une fois bâti : prenez un fruit au marché. Puis fondez une carte des explorateurs pour 1 pièce de moins.",
			"Per costruire: fai una vendita extra. Una volta costruito: prendi un frutto dal mercato. Poi fonda una carta degli esploratori per 1 moneta in meno.",
		},
		{
			Effect{While: []Rule{{Verb: VerbCheaper, Half: true, Build: raiseWord, Guild: "writers"}, {Verb: VerbBetterSale, Amount: 2, Type: "grape"}}},
			"On this level: raising writer cards costs half. Selling grapes pays 2 coins more.",
			"À ce niveau : élever une carte des écrivains coûte moitié moins. Vendre du raisin rapporte 2 pièces de plus.",
			"A questo livello: elevare carte degli scrittori costa la metà. Vendere uva rende 2 monete in più.",
		},
		{
			Effect{Do: []Clause{{Verb: VerbCoins, Amount: Quantity{Times: 1, Of: CountSold, Per: 1, Most: 3, Type: "grape"}}}},
			"Gain 1 coin per grape sold, up to 3 coins.", "Gagnez 1 pièce par raisin vendu, jusqu’à 3 pièces.", "Ottieni 1 moneta per carta uva venduta, fino a 3 monete.",
		},
		{
			Effect{Do: []Clause{{Verb: VerbCoins, Amount: Quantity{Times: 2, Of: CountUnsold, Per: 1, Most: 4, Type: "blueberry"}, To: chestWord}}},
			"Gain 2 coins per unsold blueberry, up to 4 coins, in your chest.",
			"Gagnez 2 pièces par myrtille invendue, jusqu’à 4 pièces, dans votre coffre.",
			"Ottieni 2 monete per mirtillo invenduto, fino a 4 monete, nel forziere.",
		},
	} {
		for i, want := range []string{c.en, c.fr, c.it} {
			l := i18n.Locales()[i]
			if got := strings.ReplaceAll(sayAll(l, c.effect.Words()), "\u00a0", " "); got != want {
				t.Errorf("%s says\n%s\nwant\n%s", l.Tag(), got, want)
			}
		}
	}
}

// A deck of somebody else is shown under the names it gives its cards.
func TestACardWithoutAWordShowsItsName(t *testing.T) {
	for _, l := range i18n.Locales() {
		shown, err := i18n.New(l.Tag(), map[string]string{"x": "{card, word, treesociety.card}"})
		if err != nil {
			t.Fatal(err)
		}
		if got := shown.Say("x", game.Args{"card": "Owl Post"}, nil); got != "Owl Post" {
			t.Errorf("%s: %q", l.Tag(), got)
		}
	}
}
