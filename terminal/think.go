package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"copse/game"
	"copse/i18n"
)

// thinkPhrases are what is said around advice, or where there is none.
func thinkPhrases() []game.Phrase {
	say := game.Say
	return []game.Phrase{
		say("think.title", "seat", "player"),
		say("think.now"),
		say("think.end"),
		say("think.win"),
		say("think.percent", "percent"),
		say("think.others"),
		say("think.cut"),
		say("think.refused", "why", "rule"),
	}
}

// Advice is what a player would do in a position, and the plans that it compared.
type Advice struct {
	Player string
	Now    float64 // the lead as it stands
	Plans  []Plan  // the best first; one at least
	Cut    bool    // time was up before the player had thought as much as it usually does
}

// Plan is a turn that the player thought of. Where it was judged, its reasons add
// up from the lead as it stands to the margin.
type Plan struct {
	Line    []json.RawMessage
	Margin  float64
	Win     *float64
	Reasons []game.Reason
}

// Advise writes advice for the seat to act in a position of a game, as that seat
// sees it, in a language that i18n.Pick takes.
func Advise(out io.Writer, name, lang string, columns int, now game.Position, a Advice) error {
	d := &desk{locale: i18n.Pick(lang), colour: NoColour, width: lineWidth(columns)}
	f := newFace(name, d)
	d.seats = f.names(now)
	c := counsel{desk: d, face: f, now: now}
	for _, plan := range a.Plans {
		c.wide = max(c.wide, long(c.points(plan.Margin)))
	}
	text := d.say("think.title", game.Args{"seat": now.ToAct(), "player": a.Player}) + "\n"
	for i, plan := range a.Plans {
		said, err := c.plan(plan.Line)
		if err != nil {
			return err
		}
		switch i {
		case 0:
			text += "\n" + c.wrapped(said, "  ") + c.sum(a.Now, plan)
			if a.Cut {
				text += "\n" + d.say("think.cut", nil) + "\n"
			}
		case 1:
			text += "\n" + d.say("think.others", nil) + "\n" + c.other(said, plan)
		default:
			text += c.other(said, plan)
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

// counsel is advice being written.
type counsel struct {
	*desk
	face face
	now  game.Position
	wide int // the longest margin
}

// plan tells a line as if it had been played: first what is done, then what
// follows.
func (c *counsel) plan(line []json.RawMessage) ([]string, error) {
	var events []game.Event
	p, seat := c.now, c.now.ToAct()
	for _, move := range line {
		next, told, err := p.Play(seat, move)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be played: %w", move, err)
		}
		events = append(events, told...)
		p = next
	}
	return c.face.tell(events), nil
}

func (c *counsel) wrapped(lines []string, indent string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(wrap(line, c.width, indent, indent) + "\n")
	}
	return b.String()
}

// sum shows how the reasons of a plan add up from the lead now to the lead in the
// end.
func (c *counsel) sum(now float64, plan Plan) string {
	if len(plan.Reasons) == 0 {
		return ""
	}
	rows := [][]string{{c.say("think.now", nil), c.points(now)}}
	for _, r := range plan.Reasons {
		rows = append(rows, []string{c.say(r.Key, r.Args), c.points(r.Points)})
	}
	end := c.points(plan.Margin)
	rows = append(rows, []string{"", strings.Repeat("─", long(end))}, []string{c.say("think.end", nil), end})
	if plan.Win != nil {
		rows = append(rows, []string{c.say("think.win", nil), c.percent(*plan.Win)})
	}
	return "\n  " + strings.Join(align(rows, 1), "\n  ") + "\n"
}

// other tells a plan that was not the best: what it leads to, what it does, without
// what would follow, and why.
func (c *counsel) other(said []string, plan Plan) string {
	figures := pad(c.points(plan.Margin), -c.wide)
	if plan.Win != nil {
		figures += pad(c.percent(*plan.Win), -6)
	}
	indent := strings.Repeat(" ", long(figures)+4)
	text := c.wrapped(said[:min(len(said), 1)], indent)
	var reasons []string
	for _, r := range plan.Reasons {
		reasons = append(reasons, c.points(r.Points)+"\u00A0"+c.say(r.Key, r.Args)) // a no-break space keeps the number with its words
	}
	return "  " + figures + "  " + strings.TrimLeft(text, " ") + c.wrapped([]string{strings.Join(reasons, " · ")}, indent)
}

// points is a number of points with its sign, to the hundredth.
func (c *counsel) points(x float64) string {
	text := fmt.Sprintf("%+.2f", x)
	if text == "+0.00" || text == "-0.00" {
		text = "0.00"
	}
	return strings.NewReplacer("-", "−", ".", c.locale.Decimal()).Replace(text)
}

func (c *counsel) percent(share float64) string {
	return c.say("think.percent", game.Args{"percent": int(100*share + 0.5)})
}
