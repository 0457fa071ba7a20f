package arena

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
)

//go:embed ladder.html
var ladderPage string

// WriteHTML writes the ladder as one page for people: plots drawn as SVG with a
// table beside each, light or dark as the reader prefers, without scripts, and
// nothing fetched from anywhere.
func (l *Ladder) WriteHTML(w io.Writer) error {
	page, err := template.New("ladder").Funcs(template.FuncMap{
		"percent": func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
		"between": func(e Estimate) string { return fmt.Sprintf("%.1f–%.1f %%", 100*e.Least, 100*e.Most) },
		"points":  func(x float64) string { return signed(x, 1) },
		"rating":  func(x float64) string { return signed(x, 0) },
		"ms":      func(x float64) string { return fmt.Sprintf("%.2f", x) },
		"ratings": ratingsPlot,
		"matrix":  l.matrixPlot,
		"times":   l.timesPlot,
		"title":   tableTitle,
	}).Parse(ladderPage)
	if err != nil {
		return err
	}
	return page.Execute(w, l)
}

// signed is a number with its sign, as it is printed; 0 has none.
func signed(x float64, digits int) string {
	text := strings.ReplaceAll(fmt.Sprintf("%+.*f", digits, x), "-", "−")
	if strings.Trim(text, "+−0.") == "" {
		return text[len(text)-len(fmt.Sprintf("%.*f", digits, 0.0)):]
	}
	return text
}

func tableTitle(t LadderTable) string {
	if t.Seats == 0 {
		return "All tables together"
	}
	return fmt.Sprintf("Tables of %d", t.Seats)
}

// drawing is an SVG being written. The names of players are the only text that is
// not ours.
type drawing struct{ strings.Builder }

func (d *drawing) put(format string, args ...any) { _, _ = fmt.Fprintf(d, format, args...) }

func (d *drawing) done(width, height int, label string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">%s</svg>`,
		width, height, width, height, html.EscapeString(label), d.String()))
}

// Measures of a plot with a row for each player.
const (
	plotNames = 90 // room for the names
	plotWidth = 460
	plotRow   = 30
	plotTop   = 12
)

// ratingsPlot draws the rating of every player as a dot on its interval.
func ratingsPlot(t LadderTable) template.HTML {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range t.Ratings {
		low, high = min(low, r.Rating.Least), max(high, r.Rating.Most)
	}
	step := niceStep((high - low) / 6)
	low, high = step*math.Floor(low/step), step*math.Ceil(high/step)
	if low == high {
		low, high = low-step, high+step
	}
	x := func(v float64) float64 { return plotNames + (v-low)/(high-low)*(plotWidth-plotNames-20) }
	bottom := plotTop + plotRow*len(t.Ratings)
	var d drawing
	for v := low; v <= high+step/2; v += step {
		d.put(`<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><text class="tick" x="%.1f" y="%d" text-anchor="middle">%s</text>`,
			x(v), plotTop, x(v), bottom, x(v), bottom+16, signed(v, 0))
	}
	for i, r := range t.Ratings {
		y := plotTop + plotRow*i + plotRow/2
		d.put(`<text x="%d" y="%d" text-anchor="end">%s</text>`, plotNames-10, y+4, html.EscapeString(r.Player))
		d.put(`<line class="reach" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><circle class="dot" cx="%.1f" cy="%d" r="5"><title>%s %s (%s to %s)</title></circle>`,
			x(r.Rating.Least), y, x(r.Rating.Most), y, x(r.Rating.Mean), y,
			html.EscapeString(r.Player), signed(r.Rating.Mean, 0), signed(r.Rating.Least, 0), signed(r.Rating.Most, 0))
	}
	return d.done(plotWidth, bottom+24, tableTitle(t)+": ratings with 95 % intervals; the table has the numbers")
}

// niceStep is 1, 2 or 5 times a power of ten, at least x.
func niceStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 100
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= x {
			return f * power
		}
	}
	return 10 * power
}

// matrixPlot draws how much everyone wins against everyone: the more, the stronger
// the colour, one for more than half and another for less.
func (l *Ladder) matrixPlot() template.HTML {
	const cell, names = 54, 80
	order := slices.Clone(l.Players)
	if len(l.Tables) > 0 {
		order = order[:0]
		for _, r := range l.Tables[0].Ratings {
			order = append(order, r.Player)
		}
	}
	var d drawing
	for i, a := range order {
		d.put(`<text x="%d" y="%d" text-anchor="end">%s</text>`, names-8, names/2+cell*i+cell/2+4, html.EscapeString(a))
		d.put(`<text class="tick" x="%d" y="%d" text-anchor="middle">%s</text>`, names+cell*i+cell/2, names/2-10, html.EscapeString(a))
		for j, b := range order {
			k := slices.IndexFunc(l.Pairs, func(p LadderPair) bool { return p.Player == a && p.Other == b })
			if k < 0 {
				continue
			}
			p := l.Pairs[k]
			class := "more"
			if p.WinShare.Mean < 0.5 {
				class = "less"
			}
			d.put(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" fill-opacity="%.2f"/><text x="%d" y="%d" text-anchor="middle">%.0f<title>%s against %s: %.1f %% (%.1f to %.1f)</title></text>`,
				class, names+cell*j+1, names/2+cell*i+1, cell-2, cell-2, 0.05+1.1*math.Abs(p.WinShare.Mean-0.5),
				names+cell*j+cell/2, names/2+cell*i+cell/2+4, 100*p.WinShare.Mean,
				html.EscapeString(a), html.EscapeString(b), 100*p.WinShare.Mean, 100*p.WinShare.Least, 100*p.WinShare.Most)
		}
	}
	return d.done(names+cell*len(order)+8, names/2+cell*len(order)+8, "Win share in per cent of the player of a row against the player of a column; the table has the numbers")
}

// timesPlot draws the median of a turn as a dot, with a line to the p99, on a
// scale of powers of ten.
func (l *Ladder) timesPlot() template.HTML {
	const least = 1e-3
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range l.ByPlayer {
		low, high = min(low, math.Log10(max(least, p.TurnMS.Median))), max(high, math.Log10(max(least, p.TurnMS.P99)))
	}
	low, high = math.Floor(low), math.Ceil(high)
	if low == high {
		high++
	}
	at := func(power float64) float64 { return plotNames + (power-low)/(high-low)*(plotWidth-plotNames-30) }
	x := func(ms float64) float64 { return at(math.Log10(max(least, ms))) }
	list := slices.Clone(l.ByPlayer)
	slices.SortStableFunc(list, func(a, b LadderPlayer) int { return cmp.Compare(a.TurnMS.Median, b.TurnMS.Median) })
	bottom := plotTop + plotRow*len(list)
	var d drawing
	for power := low; power <= high; power++ {
		d.put(`<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><text class="tick" x="%.1f" y="%d" text-anchor="middle">%g ms</text>`,
			at(power), plotTop, at(power), bottom, at(power), bottom+16, math.Pow(10, power))
	}
	for i, p := range list {
		y := plotTop + plotRow*i + plotRow/2
		d.put(`<text x="%d" y="%d" text-anchor="end">%s</text>`, plotNames-10, y+4, html.EscapeString(p.Player))
		d.put(`<line class="reach" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><circle class="dot" cx="%.1f" cy="%d" r="5"><title>%s: median %.2f ms, p99 %.2f ms</title></circle>`,
			x(p.TurnMS.Median), y, x(p.TurnMS.P99), y, x(p.TurnMS.Median), y, html.EscapeString(p.Player), p.TurnMS.Median, p.TurnMS.P99)
	}
	return d.done(plotWidth, bottom+24, "Time of a turn: the median, and a line to the p99; the table has the numbers")
}
