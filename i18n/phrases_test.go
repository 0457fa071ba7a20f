package i18n_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
	"copse/i18n"
	"copse/server"
	"copse/table"
	"copse/terminal"
)

// declared are all the keys that any part of Copse says, with their arguments.
func declared() map[string][]string {
	all := map[string][]string{}
	for _, list := range [][]game.Phrase{game.Faults(), bosk.Game().Phrases, grandbois.Game().Phrases, treesociety.Game().Phrases, engine.Phrases(), table.Phrases(), server.Phrases(), terminal.Phrases()} {
		for _, p := range list {
			all[p.Key] = p.Args
		}
	}
	maps.Copy(all, pagePhrases())
	return all
}

// faults names everything that is wrong between the declared phrases and the
// locales. The first locale is the one to which the others are held.
func faults(declared map[string][]string, locales []*i18n.Locale) []string {
	var list []string
	blame := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, l := range locales {
		has := map[string]bool{}
		for _, key := range l.Keys() {
			has[key] = true
			args, ok := declared[key]
			if !ok {
				blame("%s: %s: nobody says this key", l.Tag(), key)
				continue
			}
			for _, slot := range l.Slots(key) {
				if !slices.Contains(args, slot.Arg) {
					blame("%s: %s: {%s} is no argument of this key", l.Tag(), key, slot.Arg)
				}
				if prefix, ok := strings.CutPrefix(strings.TrimPrefix(slot.Kind, "list "), "word "); ok && !anyUnder(declared, prefix) {
					blame("%s: %s: {%s}: there are no words %s.…", l.Tag(), key, slot.Arg, prefix)
				}
				if one, ok := strings.CutPrefix(slot.Kind, "tally "); ok && !slices.Equal(declared[one], []string{"word", "times"}) {
					blame("%s: %s: {%s}: nobody says %s of a word and its times", l.Tag(), key, slot.Arg, one)
				}
			}
			if l == locales[0] {
				continue
			}
			ours, theirs := l.Slots(key), locales[0].Slots(key)
			if a, b := arguments(ours), arguments(theirs); !slices.Equal(a, b) {
				blame("%s: %s: uses %v, %s uses %v", l.Tag(), key, a, locales[0].Tag(), b)
			} else if a, b := kinds(ours), kinds(theirs); !slices.Equal(a, b) {
				blame("%s: %s: shows %q, %s shows %q", l.Tag(), key, a, locales[0].Tag(), b)
			}
		}
		for key := range declared {
			if !has[key] {
				blame("%s: %s: no message", l.Tag(), key)
			}
		}
	}
	slices.Sort(list)
	return list
}

// anyUnder tells whether a word with this prefix is declared.
func anyUnder(declared map[string][]string, prefix string) bool {
	for key, args := range declared {
		if strings.HasPrefix(key, prefix+".") && len(args) == 0 {
			return true
		}
	}
	return false
}

func arguments(slots []i18n.Slot) []string {
	var list []string
	for _, s := range slots {
		list = append(list, s.Arg)
	}
	return slices.Compact(list) // Slots are sorted by argument
}

// kinds says how arguments are shown, as far as languages may not differ: one may
// count or decide where another does not, but a square is a square in all.
func kinds(slots []i18n.Slot) []string {
	var list []string
	for _, s := range slots {
		switch s.Kind {
		case "plain", "plural", "select", "signed":
		default:
			list = append(list, s.Arg+": "+s.Kind)
		}
	}
	return list
}

func TestNoKeyIsMissingOrphanedOrWronglyParameterised(t *testing.T) {
	for _, fault := range faults(declared(), i18n.Locales()) {
		t.Error(fault)
	}
}

// TestPlantedFaultsAreFound proves the test above.
func TestPlantedFaultsAreFound(t *testing.T) {
	said := map[string][]string{"a": {"x", "y"}, "b": nil, "c": {"x"}, "d": {"x"}, "e": {"x"}, "t": {"x"}, "w.one": nil}
	en, err := i18n.New("en", map[string]string{
		"a": "{x, square} {y}", "b": "b", "c": "{x}", "d": "{x, word, w}", "e": "{x, word, v}", "t": "{x, tally, c}", "w.one": "1",
	})
	if err != nil {
		t.Fatal(err)
	}
	fr, err := i18n.New("fr", map[string]string{
		"a": "{x, crossing} {y, plural, other {#}}", "c": "{z}", "d": "{x}", "e": "{x, word, v}", "f": "f", "t": "{x, tally, c}", "w.one": "1",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := faults(said, []*i18n.Locale{en, fr})
	want := []string{
		"en: e: {x}: there are no words v.…",
		"en: t: {x}: nobody says c of a word and its times",
		`fr: a: shows ["x: crossing"], en shows ["x: square"]`,
		"fr: b: no message",
		"fr: c: uses [z], en uses [x]",
		"fr: c: {z} is no argument of this key",
		`fr: d: shows [], en shows ["x: word w"]`,
		"fr: e: {x}: there are no words v.…",
		"fr: f: nobody says this key",
		"fr: t: {x}: nobody says c of a word and its times",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is really said in games has exactly the arguments with which it was
// declared, and leaves no brace and no key behind in any language.
func TestEverythingSaidInAGameReadsAsASentence(t *testing.T) {
	t.Parallel()
	say, names := declared(), i18n.Names("Ada", "Bea", "Cleo", "Dan")
	heard := map[string]bool{}
	hear := func(key string, args map[string]any) {
		heard[key] = true
		want, got := slices.Sorted(slices.Values(say[key])), slices.Sorted(maps.Keys(args))
		if !slices.Equal(want, got) {
			t.Errorf("%s is said with %v and declared with %v", key, got, want)
		}
		for _, l := range i18n.Locales() {
			if said := l.Say(key, args, names); said == key || strings.ContainsAny(said, "{}") || strings.Contains(said, "bosk.") {
				t.Errorf("%s: %s %v says %q", l.Tag(), key, args, said)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	strange := []string{
		`{"do":"plant","tree":5,"at":[1,1]}`, `{"do":"plant","tree":1,"at":[0,1]}`, `{"do":"wind","side":"up"}`,
		`{"do":"shed","at":[0,0],"tile":2}`, `{"do":"shed","at":[3,3],"tile":9}`, `{"do":"shed","at":[3,3],"tile":"acorn"}`,
		`{"do":"leaf","to":[-1,3]}`, `{"do":"leaf","to":[1,1000]}`, `{"do":"squirrel","to":[99,1]}`, `{"do":"fly"}`, `[]`,
		`{"do":"leaf"}`, `{"do":7}`, `{"do":"leaf","to":7}`, `{"do":"leaf","to":[1.5,2]}`, `{"do":"leaf","to":[1e10,2]}`, `{"do":"leaf","to":[1,1],"x":1}`,
	}
	for n := range 6 {
		seats := 2 + n%3
		p, err := game.Of(bosk.Game()).Start(game.Settings{Seats: seats})
		if err != nil {
			t.Fatal(err)
		}
		met := []json.RawMessage{}
		for _, move := range strange {
			met = append(met, json.RawMessage(move))
		}
		for p.ToAct() != game.None {
			moves := p.Moves()
			met = append(met, moves[rng.IntN(len(moves))])
			tries := []json.RawMessage{}
			for range 20 {
				tries = append(tries, met[rng.IntN(len(met))])
			}
			for range 20 {
				for _, do := range []string{"leaf", "squirrel"} {
					tries = append(tries, fmt.Appendf(nil, `{"do":%q,"to":[%d,%d]}`, do, rng.IntN(12), rng.IntN(12)))
				}
			}
			for i, move := range tries {
				seat := p.ToAct()
				if i%20 == 0 {
					seat = game.Seat(rng.IntN(seats))
				}
				_, _, err := p.Play(seat, move)
				var refusal *game.Refusal
				var fault *game.Fault
				switch {
				case errors.As(err, &refusal):
					hear(refusal.Key, refusal.Args)
				case errors.As(err, &fault):
					hear(fault.Key, fault.Args)
				}
			}
			next, events, err := p.Play(p.ToAct(), moves[rng.IntN(len(moves))])
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				hear(e.Key, e.Args)
			}
			p = next
		}
		for _, line := range p.Sheet() {
			hear(line.Key, line.Args)
		}
	}
	for _, box := range []string{
		`{"game":"go"}`, `{"terrains":{"GG":"meadow"}}`, `{"boards":{"2":{"rows":["G"]}}}`, `{"boards":{"5":{"rows":[]}}}`,
		`{"boards":{"4":{"rows":["GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG"]}}}`,
		`{"boards":{"2":{"rows":["G","GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG"]}}}`,
		`{"boards":{"2":{"rows":["?GGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG"]}}}`,
		`{"terrains":{"1":"a"},"boards":{"2":{"rows":["GNSDPB","AR1GGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG"]}}}`,
		`{"wind":{"rounds":[]}}`, rounds("5"), rounds(`"any"`, "1"), rounds("1", "1", "1"),
		strings.Replace(rounds("1"), "toward", "up", 1), `{"species":[]}`, `{"species":7}`,
		`{"species":[{"leaf":"oak"},{"leaf":"oak"},{"leaf":"elm"},{"leaf":"ash"}]}`,
	} {
		set := game.Settings{Seats: 2, Options: json.RawMessage(`{"box":` + box + `}`)}
		_, err := game.Of(bosk.Game()).Start(set)
		var fault *game.Fault
		if !errors.As(err, &fault) {
			t.Errorf("the box %s is answered by %v", box, err)
			continue
		}
		hear(fault.Key, fault.Args)
	}
	sayWhatIsRare(t, hear)
	sayWhy(hear)
	sayTies(hear)
	for key, args := range say {
		// Words are said only within messages, and moves only by screens that list
		// them.
		if strings.HasPrefix(key, "bosk.") && !strings.HasPrefix(key, "bosk.move.") && len(args) > 0 && !heard[key] {
			t.Errorf("%s: never heard in six games, nor in what is built for it", key)
		}
	}
}

// sayTies hears how ties are broken: where who opened the last round is one of the
// two, and where not.
func sayTies(hear func(string, map[string]any)) {
	r := bosk.New(3, bosk.DefaultBox())
	s := r.Start()
	for _, seat := range []game.Seat{0, 1} {
		key, args := r.TieBreak(&s, seat, 2)
		hear(key, args)
	}
}

// sayWhatIsRare builds what hardly ever happens at random: squirrels that meet, a
// tie at the end, a move of no kind.
func sayWhatIsRare(t *testing.T, hear func(string, map[string]any)) {
	t.Helper()
	refuse := func(err error) {
		t.Helper()
		var refusal *game.Refusal
		if !errors.As(err, &refusal) {
			t.Fatalf("a move that should be refused is answered by %v", err)
		}
		hear(refusal.Key, refusal.Args)
	}
	r := bosk.New(3, bosk.DefaultBox())
	s := r.Start()
	refuse(r.Check(&s, 0, bosk.Move{}))
	var log game.Log
	read := func(text string) bosk.Move {
		t.Helper()
		m, err := r.ReadMove([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	play := func(moves ...string) {
		t.Helper()
		for _, text := range moves {
			m := read(text)
			if err := r.Check(&s, r.ToAct(&s), m); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			r.Play(&s, r.ToAct(&s), m, &log)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() {
		moves := r.Moves(&s, r.ToAct(&s), nil)
		r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], &log)
	}
	// There are three trees of value 1 under the northern edge, and seat 0 begins
	// autumn.
	for begins := false; !begins; {
		s = r.Start()
		play(`{"do":"plant","tree":1,"at":[2,3]}`, `{"do":"plant","tree":1,"at":[2,4]}`, `{"do":"plant","tree":1,"at":[1,3]}`)
		for r.Turn(&s) < 24 {
			random()
		}
		begins = r.ToAct(&s) == 0
	}
	play(`{"do":"wind","side":"north"}`, `{"do":"shed","at":[2,3],"tile":"squirrel"}`, `{"do":"squirrel","to":[0,2]}`)
	before := s
	play(`{"do":"shed","at":[2,4],"tile":3}`, `{"do":"leaf","to":[1,3]}`)
	refuse(r.Check(&s, 1, read(`{"do":"leaf","to":[0,2]}`)))
	s = before
	play(`{"do":"shed","at":[2,4],"tile":"squirrel"}`)
	refuse(r.Check(&s, 1, read(`{"do":"squirrel","to":[0,2]}`)))
	play(`{"do":"squirrel","to":[0,3]}`, `{"do":"shed","at":[1,3],"tile":"squirrel"}`)
	for range 50 { // one game in twenty or so ends in a tie
		for s = r.Start(); r.ToAct(&s) != game.None; {
			random()
		}
	}
	for _, e := range log.Events {
		if e.Key == "bosk.event.won.tie" || e.Key == "bosk.event.no-squirrel" {
			hear(e.Key, e.Args)
		}
	}
}

// sayWhy says the reasons for every turn of some games, against every other seat.
func sayWhy(hear func(string, map[string]any)) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 60 {
		r := bosk.New(2+n%3, bosk.DefaultBox())
		for s := r.Start(); r.ToAct(&s) != game.None; {
			before, seat := s, r.ToAct(&s)
			for r.Turn(&s) == r.Turn(&before) {
				moves := r.Moves(&s, seat, nil)
				r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
			}
			for rival := range game.Seat(r.Seats()) {
				if rival == seat {
					continue
				}
				for _, c := range r.Why(&before, &s, seat, rival) {
					hear(c.Key, c.Args)
				}
			}
		}
	}
}

func TestSpacesThatLookAlikeAreSaidOnce(t *testing.T) {
	covered := map[string]any{"seat": 0, "tile": 7, "x": 1, "y": -2, "turn": 0, "covers": []string{"clearing", "fox-1", "clearing", "fox-1"}, "adds": 1}
	for tag, want := range map[string]string{
		"en": "Ada places tile 7 at (1, −2): it covers two clearings and one fox twice and adds 1 space.",
		"fr": "Ada pose la tuile 7 en (1, −2) : elle recouvre deux Clairières et un renard deux fois et ajoute 1 case.",
		"it": "Ada mette la tessera 7 in (1, −2): copre due Radure e una volpe due volte e aggiunge 1 casella.",
	} {
		for _, l := range i18n.Locales() {
			if l.Tag() != tag {
				continue
			}
			if said := l.Say("grandbois.event.place", covered, i18n.Names("Ada")); said != want {
				t.Errorf("%s: %q, want %q", tag, said, want)
			}
		}
	}
}

// TestEveryPhraseCanBeSaid says every declared phrase in every language, with
// sample arguments of the kinds that its message shows, whether or not it comes up
// in a game of these tests.
func TestEveryPhraseCanBeSaid(t *testing.T) {
	t.Parallel()
	say, names := declared(), i18n.Names("Ada", "Bea", "Cleo", "Dan")
	words := func(prefix string) (list []any) {
		for _, key := range slices.Sorted(maps.Keys(say)) {
			if word, ok := strings.CutPrefix(key, prefix+"."); ok && len(say[key]) == 0 {
				list = append(list, word)
			}
		}
		return list
	}
	// samples are values of a kind: few, many, and some that are out of range.
	samples := func(kind string) []any {
		if prefix, ok := strings.CutPrefix(kind, "word "); ok {
			return words(prefix)
		}
		switch kind {
		case "square", "crossing":
			return []any{[2]int{3, 4}, [2]int{1, 12}, [2]int{-1, 1000}}
		case "seat":
			return []any{0, 1, 3}
		}
		return []any{1, 0, 2, 35, -4, "maple", true}
	}
	for key, args := range say {
		for _, l := range i18n.Locales() {
			for n := range 8 {
				filled := map[string]any{}
				for _, arg := range args {
					filled[arg] = n
				}
				for _, slot := range l.Slots(key) {
					kind, many := strings.CutPrefix(slot.Kind, "list ")
					list := samples(kind)
					if len(list) == 0 {
						continue // TestNoKeyIsMissing… says so
					}
					filled[slot.Arg] = list[n%len(list)]
					if many {
						filled[slot.Arg] = list[:n%len(list)+1]
					}
				}
				said := l.Say(key, filled, names)
				if said == "" || said == key || strings.ContainsAny(said, "{}") {
					t.Errorf("%s: %s %v says %q", l.Tag(), key, filled, said)
				}
			}
		}
	}
}

// rounds is a box whose wind board begins with these trees.
func rounds(trees ...string) string {
	list := make([]string, 8)
	for i := range list {
		tree := `"any"`
		if i < len(trees) {
			tree = trees[i]
		}
		list[i] = `{"tree":` + tree + `,"blows":"toward"}`
	}
	return `{"wind":{"rounds":[` + strings.Join(list, ",") + `]}}`
}

func TestLocaleFilesAreSortedAndWellFormed(t *testing.T) {
	for _, l := range i18n.Locales() {
		file := l.Tag() + ".json"
		var messages map[string]string
		read(t, file, &messages)
		if _, err := i18n.New(l.Tag(), messages); err != nil {
			t.Error(err)
		}
		// Written out again it is the same file, so no key is in it twice.
		var b strings.Builder
		b.WriteString("{\n")
		for i, key := range sorted(messages) {
			if i > 0 {
				b.WriteString(",\n")
			}
			b.WriteString("  " + quote(key) + ": " + quote(messages[key]))
		}
		b.WriteString("\n}\n")
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(raw) != b.String() {
			t.Errorf("%s is not one sorted object with a key a line", file)
		}
	}
}

func sorted(messages map[string]string) []string {
	keys := make([]string, 0, len(messages))
	for key := range messages {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// hygiene is what our prose must not contain, language by language.
func hygiene() []struct{ tag, what, pattern string } {
	return []struct{ tag, what, pattern string }{
		{"", "two spaces", `[ \x{A0}]{2}`},
		{"", "a space before a comma or a full stop", `[ \x{A0}][,.](?:[ \n]|$)`},
		{"", "a straight apostrophe", `'`},
		{"", "a straight quotation mark", `"`},
		{"", "three dots for an ellipsis", `\.\.\.`},
		{"", "a narrow no-break space", `\x{202F}`},
		{"en", "a French quotation mark", `[«»]`},
		{"en", "a space before punctuation", `[ \x{A0}][:;!?]`},
		{"fr", "no no-break space before punctuation", `[^\x{A0}][;!?»]|[^\x{A0}]:(?:[ \n]|$)`},
		{"fr", "no no-break space after «", `«[^\x{A0}]`},
		{"fr", "an English quotation mark", `[“”]`},
		{"it", "a space before punctuation", `[ \x{A0}][:;!?»]`},
		{"it", "a space after «", `«[ \x{A0}]`},
		{"it", "an English quotation mark", `[“”]`},
		{"it", "an apostrophe for an accent", `(?i)\b(?:e|perche|piu|puo|gia|cosi)’(?:[ ,.:;]|$)`},
	}
}

func unclean(tag, prose string) []string {
	var list []string
	prose = regexp.MustCompile(`'[{}#]'`).ReplaceAllString(prose, "x") // '{' is no apostrophe
	for _, h := range hygiene() {
		if h.tag != "" && h.tag != tag {
			continue
		}
		if at := regexp.MustCompile(h.pattern).FindString(prose); at != "" {
			list = append(list, fmt.Sprintf("%s: %q", h.what, at))
		}
	}
	return list
}

func TestProseIsClean(t *testing.T) {
	t.Parallel()
	for _, l := range i18n.Locales() {
		var messages map[string]string
		read(t, l.Tag()+".json", &messages)
		for _, key := range sorted(messages) {
			if strings.HasPrefix(key, "play.command.") {
				continue // words to be typed, "?" among them
			}
			for _, fault := range unclean(l.Tag(), messages[key]) {
				t.Errorf("%s: %s: %s", l.Tag(), key, fault)
			}
			if trimmed := strings.Trim(messages[key], " \u00A0\n"); trimmed != messages[key] || trimmed == "" {
				t.Errorf("%s: %s: empty, or spaces around it", l.Tag(), key)
			}
		}
		for name, texts := range gameTexts() {
			for i, paragraph := range strings.Split(rules(t, texts, l.Tag()), "\n") {
				for _, fault := range unclean(l.Tag(), paragraph) {
					t.Errorf("%s/rules.%s.md:%d: %s", name, l.Tag(), i+1, fault)
				}
			}
		}
	}
}

func TestUncleanProseIsFound(t *testing.T) {
	for _, c := range []struct{ tag, prose string }{
		{"en", "two  spaces"},
		{"en", "don't"},
		{"it", "l'albero"},
		{"en", "wait..."},
		{"en", "no !"},
		{"fr", "Attention: un écureuil"},
		{"fr", "Attention : un écureuil"},
		{"fr", "Attention\u202F: un écureuil"},
		{"fr", "« feuille\u00A0»"},
		{"fr", "Gagné!"},
		{"it", "la tessera « 5»"},
		{"it", "non e’ libero"},
	} {
		if unclean(c.tag, c.prose) == nil {
			t.Errorf("%s: nothing found in %q", c.tag, c.prose)
		}
	}
	for _, c := range []struct{ tag, prose string }{
		{"en", "{seat, seat}’s leaf: “{x, select, other {a}}” '{' 3:2"},
		{"fr", "l’écureuil\u00A0: «\u00A0{x}\u00A0»\u00A0!"},
		{"it", "l’albero: «{x}»!"},
	} {
		if found := unclean(c.tag, c.prose); found != nil {
			t.Errorf("%s: found %v in %q", c.tag, found, c.prose)
		}
	}
}

func rules(t *testing.T, texts fs.FS, tag string) string {
	t.Helper()
	raw, err := fs.ReadFile(texts, "rules."+tag+".md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// outline is the headings and rules of a text by their numbers, in order.
func outline(text string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^(## \d+ |\*\*\d+\.\d+\*\* )`).FindAllString(text, -1) {
		list = append(list, strings.Trim(m, "#* "))
	}
	return list
}

// gameTexts are the rules of every game in words.
func gameTexts() map[string]fs.FS {
	return map[string]fs.FS{"bosk": bosk.Game().Texts, "grandbois": grandbois.Game().Texts, "treesociety": treesociety.Game().Texts}
}

func TestRulesCarryTheSameNumbersInEveryLanguage(t *testing.T) {
	for name, sections := range map[string][]int{"bosk": {5, 3, 6, 2, 8, 2, 6, 0}, "grandbois": {5, 10, 3, 5, 0}, "treesociety": {9, 5, 17, 3, 1, 4, 0, 0}} {
		var want []string
		for section, rules := range sections {
			want = append(want, fmt.Sprint(section+1))
			for rule := range rules {
				want = append(want, fmt.Sprintf("%d.%d", section+1, rule+1))
			}
		}
		for _, l := range i18n.Locales() {
			text := rules(t, gameTexts()[name], l.Tag())
			if got := outline(text); !slices.Equal(got, want) {
				t.Errorf("%s/rules.%s.md has\n%v\nwant\n%v", name, l.Tag(), got, want)
			}
			// A rule that is cited must exist.
			for _, cited := range regexp.MustCompile(`\b\d\.\d+`).FindAllString(text, -1) {
				if !slices.Contains(want, cited) {
					t.Errorf("%s/rules.%s.md cites %s, which it does not have", name, l.Tag(), cited)
				}
			}
		}
	}
}
