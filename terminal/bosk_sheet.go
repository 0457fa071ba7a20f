package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"copse/game"
	"copse/games/bosk"
)

// heldLine is a line of the score sheet of Bosk.
type heldLine struct {
	Region string `json:"region"` // "" for a trail
	Have   []int  `json:"have"`
	Why    string `json:"why"`
	Rule   string `json:"rule"`
}

// lineOf names the line on which an event is told; the events of a turn have none.
func lineOf(event string) string {
	switch strings.TrimSuffix(event, ".tie") {
	case "bosk.event.summer", "bosk.event.start.summer":
		return "summer"
	case "bosk.event.start.round", "bosk.event.round":
		return "round"
	case "bosk.event.winter":
		return "winter"
	case "bosk.event.won":
		return "end"
	}
	return ""
}

// tell tells a turn on one line, with the path of the leaves as one sentence, and
// the end of a season or a round on a line of its own.
func (f *boskFace) tell(events []game.Event) []string {
	var lines []string
	last := "none yet"
	for len(events) > 0 {
		line, n := lineOf(events[0].Key), 0
		for n < len(events) && (events[n].Key == "bosk.event.leaf" || events[n].Key == "bosk.event.cover") {
			n++
		}
		var said string
		if n > 1 {
			said = f.path(events[:n])
		} else {
			said, n = f.say(events[0].Key, events[0].Args), 1
		}
		events = events[n:]
		if line == last {
			lines[len(lines)-1] += " " + said
		} else {
			lines = append(lines, said)
		}
		last = line
	}
	return lines
}

// path tells where leaves fell.
func (f *boskFace) path(events []game.Event) string {
	where := make([]string, len(events))
	for i, e := range events {
		where[i] = f.say("play.bosk."+strings.TrimPrefix(e.Key, "bosk.event."), e.Args)
	}
	return f.say("play.bosk.leaves", game.Args{"where": where})
}

// sheet shows every trail and region: what each seat has there, what it gets
// for it, and why.
func (f *boskFace) sheet(view game.Position) string {
	v := readBosk(view)
	head := append([]string{""}, f.seats...)
	rows := [][]string{append(head, "", f.say("play.bosk.rule", nil))}
	sum := func(part string, of func(bosk.PlayerView) int) {
		row := []string{f.bold(f.say("bosk.part."+part, nil))}
		for _, player := range v.Players {
			row = append(row, f.bold(strconv.Itoa(of(player))))
		}
		rows = append(rows, row, nil)
	}
	lines := view.Sheet()
	for i, line := range lines {
		var h heldLine
		decode(line.Args, &h)
		label := strings.Replace(line.Key, "bosk.sheet.", "play.bosk.", 1)
		row := []string{f.say(label, line.Args)}
		for seat, have := range h.Have {
			cell := "·"
			if have > 0 {
				cell = fmt.Sprintf("%d → %s", have, points(line.Points[seat]))
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, f.say("play.bosk.why."+h.Why, nil), h.Rule))
		if i+1 == len(lines) || lines[i+1].Part != line.Part {
			sum(line.Part, map[string]func(bosk.PlayerView) int{
				"summer": func(p bosk.PlayerView) int { return p.Summer },
				"winter": func(p bosk.PlayerView) int { return p.Winter },
			}[line.Part])
		}
	}
	rows = append(rows, f.totals(view))
	return wrap(f.say("play.bosk.sheet", game.Args{"season": v.Season}), f.width, "", "") + "\n\n" +
		strings.Join(align(rows, f.seatColumns(1)...), "\n")
}

func (f *boskFace) help() string {
	names := func(key string) []string { return strings.Fields(f.say("play.bosk.word."+key, nil)) }
	marks := marksOf(f.seats)
	mark := marks[0]
	var sides []string
	for _, side := range []string{"north", "east", "south", "west"} {
		sides = append(sides, names(side)[1])
	}
	explain := func(rows ...[]string) string {
		for _, row := range rows {
			row[1] = f.say("play.bosk."+row[1], nil)
		}
		return hang(rows, f.width)
	}
	return strings.Join([]string{
		wrap(f.say("play.bosk.help", nil), f.width, "", "") + "\n",
		explain(
			[]string{"3 4-7", "typed.plant"},
			[]string{names("north")[0], "typed.wind"},
			[]string{"4-7 5, 4-7 " + names("squirrel")[0], "typed.shed"},
			[]string{"d5", "typed.leaf"},
			[]string{"d5 d4 e3", "typed.path"},
			[]string{strings.Join(sides, ", ") + " / " + strings.Join(names("squirrel")[1:], ", "), "typed.short"},
			[]string{strings.Fields(f.say("play.command.list", nil))[0] + " 3", "typed.list"},
		),
		explain(
			[]string{mark + "3", "sign.tree"},
			[]string{mark + "2", "sign.pile"},
			[]string{mark + squirrelSign, "sign.squirrel"},
			[]string{"*", "sign.new"},
			[]string{"[1]", "sign.choice"},
			[]string{"(" + mark + "3)", "sign.sheds"},
			[]string{"·", "sign.nothing"},
			[]string{"→", "sign.arrow"},
			[]string{groundOf("meadow", 0).texture, "sign.ground"},
			[]string{strings.Join(marks, " "), "sign.sums"},
			[]string{f.seats[0] + " +8", "sign.change"},
			[]string{f.say("play.now", nil), "sign.now"},
		),
	}, "\n")
}
