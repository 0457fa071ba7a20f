package terminal

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// long is how many columns a text takes, without its escape sequences.
func long(text string) int {
	n := utf8.RuneCountInString(text)
	for {
		start := strings.Index(text, "\x1b[")
		if start < 0 {
			return n
		}
		end := strings.IndexByte(text[start:], 'm')
		if end < 0 {
			return n
		}
		n -= end + 1
		text = text[start+end+1:]
	}
}

// pad fills a text up with blanks to a width: at its end, or at its beginning where
// the width is negative.
func pad(text string, width int) string {
	if width < 0 {
		return strings.Repeat(" ", max(0, -width-long(text))) + text
	}
	return text + strings.Repeat(" ", max(0, width-long(text)))
}

// centre sets text in the middle of a width.
func centre(text string, width int) string {
	return pad(strings.Repeat(" ", max(0, width-long(text))/2)+text, width)
}

// align sets the cells of rows in columns two blanks apart. The columns named
// in right stand flush right.
func align(rows [][]string, right ...int) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], long(cell))
		}
	}
	for _, i := range right {
		if i < len(widths) {
			widths[i] = -widths[i]
		}
	}
	list := make([]string, len(rows))
	for y, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(pad(cell, widths[i]))
		}
		list[y] = strings.TrimRight(b.String(), " ")
	}
	return list
}

// widest is how long the longest of some lines is.
func widest(lines []string) int {
	wide := 0
	for _, line := range lines {
		wide = max(wide, long(line))
	}
	return wide
}

// abreast sets blocks of lines side by side as long as they fit into a width, then
// below, with a blank line between.
func abreast(blocks [][]string, width, gap int) []string {
	var list []string
	for len(blocks) > 0 {
		if list != nil {
			list = append(list, "")
		}
		begin, used := len(list), 0
		for len(blocks) > 0 && (used == 0 || used+gap+widest(blocks[0]) <= width) {
			if used > 0 {
				used += gap
			}
			for i, line := range blocks[0] {
				if begin+i == len(list) {
					list = append(list, "")
				}
				list[begin+i] = pad(list[begin+i], used) + line
			}
			used += widest(blocks[0])
			blocks = blocks[1:]
		}
	}
	for i := range list {
		list[i] = strings.TrimRight(list[i], " ")
	}
	return list
}

// wrap breaks text between words so that no line is longer than width. The first
// line begins with one indent, all others with the other. It does not break at a
// no-break space.
func wrap(text string, width int, first, rest string) string {
	var b strings.Builder
	b.WriteString(first)
	used, fresh := long(first), true
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }) {
		if n := long(word); !fresh && used+1+n > width {
			b.WriteString("\n" + rest)
			used, fresh = long(rest), true
		}
		if !fresh {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += long(word)
		fresh = false
	}
	return b.String()
}

// hang sets a table of two columns, the second one broken into lines.
func hang(rows [][]string, width int) string {
	first := 0
	for _, row := range rows {
		first = max(first, long(row[0]))
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(wrap(row[1], width, "  "+pad(row[0], first)+"  ", strings.Repeat(" ", first+4)) + "\n")
	}
	return b.String()
}

// narrow breaks the cells of a table, those of the widest columns first, until
// align can set it within a width.
func narrow(rows [][]string, width int) [][]string {
	limits := make([]int, len(rows[0]))
	total := 2 * (len(limits) - 1)
	for i := range limits {
		for _, row := range rows {
			if i < len(row) {
				limits[i] = max(limits[i], long(row[i]))
			}
		}
		total += limits[i]
	}
	for ; total > width && slices.Max(limits) > 1; total-- {
		limits[slices.Index(limits, slices.Max(limits))]--
	}
	var narrowed [][]string
	for _, row := range rows {
		begin := len(narrowed)
		for i, cell := range row[:min(len(row), len(limits))] {
			for j, line := range strings.Split(wrap(cell, limits[i], "", ""), "\n") {
				if begin+j == len(narrowed) {
					narrowed = append(narrowed, make([]string, len(limits)))
				}
				narrowed[begin+j][i] = line
			}
		}
	}
	return narrowed
}
