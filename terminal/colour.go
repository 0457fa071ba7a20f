package terminal

import (
	"strconv"
	"strings"
)

// Colour is what a terminal can show.
type Colour int

// Colours, from none on.
const (
	NoColour   Colour = iota // text only
	Colour256                // the 256 colours of xterm
	FullColour               // 24 bits
)

// noColour is the variable by which people ask for no colour (no-color.org).
const noColour = "NO_COLOR" //nolint:misspell // the name is not ours

// ColourOf is what may be sent to a terminal with this environment: no colour where
// people ask for none, where TERM is missing or names a terminal without colours,
// and where the output is no terminal at all; 24 bits where COLORTERM promises
// them.
func ColourOf(getenv func(string) string, terminal bool) Colour {
	term := getenv("TERM")
	switch {
	case !terminal, getenv(noColour) != "", term == "dumb", term == "":
		return NoColour
	case getenv("COLORTERM") == "truecolor", getenv("COLORTERM") == "24bit", strings.HasSuffix(term, "-direct"):
		return FullColour
	case term == "linux", term == "ansi", strings.HasPrefix(term, "vt"):
		return NoColour // eight colours at most: signs could not be read on their ground
	}
	return Colour256
}

// ink is a colour as 0xRRGGBB. Zero is the terminal's own.
type ink uint32

// index is the nearest of xterm's colours 16 to 255: a cube of six steps each
// way, and a ramp of greys.
func (c ink) index() int {
	r, g, b := int(c>>16&0xFF), int(c>>8&0xFF), int(c&0xFF)
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	best, at := 1<<30, 0
	try := func(i, x, y, z int) {
		if d := (r-x)*(r-x) + (g-y)*(g-y) + (b-z)*(b-z); d < best {
			best, at = d, i
		}
	}
	for i := range 216 {
		try(16+i, level(i/36), level(i/6%6), level(i%6))
	}
	for i := range 24 {
		try(232+i, 8+10*i, 8+10*i, 8+10*i)
	}
	return at
}

// code is the ink as part of an escape sequence, after 38 or 48.
func (c ink) code(colour Colour) string {
	if colour == FullColour {
		return "2;" + strconv.Itoa(int(c>>16)) + ";" + strconv.Itoa(int(c>>8&0xFF)) + ";" + strconv.Itoa(int(c&0xFF))
	}
	return "5;" + strconv.Itoa(c.index())
}

// style is how a stretch of text looks. Without colour it looks like any other
// text, so the text must say whatever the style says.
type style struct {
	front, back ink
	bold        bool
}

// paint is text in a style.
func (st style) paint(colour Colour, text string) string {
	if colour == NoColour || text == "" || st == (style{}) {
		return text
	}
	var codes []string
	if st.bold {
		codes = append(codes, "1")
	}
	if st.front != 0 {
		codes = append(codes, "38;"+st.front.code(colour))
	}
	if st.back != 0 {
		codes = append(codes, "48;"+st.back.code(colour))
	}
	return "\x1b[" + strings.Join(codes, ";") + "m" + text + "\x1b[0m"
}

// canvas is a sheet of squared paper: one character a field, each in a style.
type canvas struct {
	rows [][]field
}

type field struct {
	char rune
	style
}

func newCanvas(width, height int) *canvas {
	c := &canvas{rows: make([][]field, height)}
	for y := range c.rows {
		c.rows[y] = make([]field, width)
		for x := range c.rows[y] {
			c.rows[y][x].char = ' '
		}
	}
	return c
}

// put writes text from (x, y) to the right. What lies outside the canvas is lost.
func (c *canvas) put(x, y int, text string, st style) {
	if y < 0 || y >= len(c.rows) {
		return
	}
	for _, char := range text {
		if x >= 0 && x < len(c.rows[y]) {
			c.rows[y][x] = field{char, st}
		}
		x++
	}
}

// lines are the rows from top to bottom, without blanks at their ends.
func (c *canvas) lines(colour Colour) []string {
	list := make([]string, len(c.rows))
	for y, row := range c.rows {
		end := len(row)
		for end > 0 && row[end-1] == (field{char: ' '}) {
			end--
		}
		var b strings.Builder
		for x := 0; x < end; {
			run := x
			for run < end && row[run].style == row[x].style {
				run++
			}
			var text strings.Builder
			for _, f := range row[x:run] {
				text.WriteRune(f.char)
			}
			b.WriteString(row[x].paint(colour, text.String()))
			x = run
		}
		list[y] = b.String()
		if colour == NoColour {
			list[y] = strings.TrimRight(list[y], " ")
		}
	}
	return list
}
