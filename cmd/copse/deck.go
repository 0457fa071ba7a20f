package main

import (
	"fmt"
	"slices"
	"strings"

	"copse/games/treesociety"
	"copse/i18n"
)

// deckTable shows the cards of Tree Society in words, as tables of a document: one
// for each guild, and one of the fruit.
func deckTable(box *treesociety.Box, l *i18n.Locale) string {
	var b strings.Builder
	say := func(s treesociety.Sentence) string { return l.Say(s.Key, s.Args, nil) }
	word := func(prefix, word string) string {
		key := "treesociety." + prefix + "." + word
		if said := l.Say(key, nil, nil); said != key {
			return said
		}
		return word // a name that somebody gave a card of their own
	}
	guild := ""
	for i := range box.Cards {
		c := &box.Cards[i]
		if c.Guild != guild {
			guild = c.Guild
			fmt.Fprintf(&b, "%s### %s\n\n", gap(i), capital(word("guild", guild)))
			b.WriteString("| | | ⚑ | 1 | 2 | 3 | Σ |\n|--:|---|---|---|---|---|--:|\n")
		}
		name := word("card", c.Name)
		if c.Start {
			name += " ★"
		}
		fmt.Fprintf(&b, "| %d | %s | %s |", c.ID, name, strings.Repeat("⚑", c.Banners))
		total := 0
		for k, w := range c.Words() {
			total += c.Levels[k].Cost
			effect := "—"
			if len(w.Effect) > 0 {
				var said []string
				for _, s := range w.Effect {
					said = append(said, say(s))
				}
				effect = strings.Join(said, " ")
			}
			fmt.Fprintf(&b, " **%d** %s *%s* |", c.Levels[k].Cost, effect, say(w.Points))
		}
		fmt.Fprintf(&b, " %d |\n", total)
	}
	b.WriteString("\n" + fruitTable(box, say, word))
	return b.String()
}

func gap(i int) string {
	if i == 0 {
		return ""
	}
	return "\n"
}

func capital(word string) string {
	for i := range word {
		if i > 0 {
			return strings.ToUpper(word[:i]) + word[i:]
		}
	}
	return strings.ToUpper(word)
}

// fruitTable counts the fruit cards by type and action: those of two seats, then
// those marked 3-4; a leaf is how many of them bear one.
func fruitTable(box *treesociety.Box, say func(treesociety.Sentence) string, word func(prefix, word string) string) string {
	type cell struct{ all, crowd, leaves int }
	count := map[[2]string]cell{}
	var rows, columns []string
	for i := range box.Fruits {
		f := &box.Fruits[i]
		action := say(f.Words())
		if !slices.Contains(rows, action) {
			rows = append(rows, action)
		}
		if !slices.Contains(columns, f.Type) {
			columns = append(columns, f.Type)
		}
		at := [2]string{action, f.Type}
		n := count[at]
		if f.Crowd {
			n.crowd++
		} else {
			n.all++
		}
		if f.Leaf {
			n.leaves++
		}
		count[at] = n
	}
	var b strings.Builder
	b.WriteString("| |")
	for _, column := range columns {
		b.WriteString(" " + word("fruit", column) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, row := range rows {
		b.WriteString("| " + row + " |")
		for _, column := range columns {
			n := count[[2]string{row, column}]
			text := fmt.Sprint(n.all)
			if n.crowd > 0 {
				text += fmt.Sprintf(" + %d", n.crowd)
			}
			if n.leaves > 0 {
				text += fmt.Sprintf(" · %d 🍃", n.leaves)
			}
			if n == (cell{}) {
				text = ""
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
