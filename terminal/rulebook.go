package terminal

import (
	"io/fs"
	"regexp"
	"strings"
)

// rulebook is the rules of a game in words, in the small part of Markdown in which
// they are written: headings, paragraphs, tables, stresses. A rule is a paragraph
// that begins with its number in bold, with everything up to the next one.
type rulebook struct{ lines []string }

// readRulebook is the rulebook of a game in a language; in English where that
// language has none, and empty where there is none at all.
func readRulebook(texts fs.FS, tag string) rulebook {
	if texts == nil {
		return rulebook{}
	}
	for _, tag := range []string{tag, "en"} {
		if raw, err := fs.ReadFile(texts, "rules."+tag+".md"); err == nil {
			return rulebook{strings.Split(strings.TrimSpace(string(raw)), "\n")}
		}
	}
	return rulebook{}
}

// rule is the text of a rule ("5.6") or of a section ("5"), nil where there is no
// such number.
func (b rulebook) rule(number string) []string {
	begin, end := "**"+number+"** ", "**"
	if !strings.Contains(number, ".") {
		begin, end = "## "+number+" ", "## "
	}
	for i, line := range b.lines {
		if !strings.HasPrefix(line, begin) {
			continue
		}
		for j := i + 1; j < len(b.lines); j++ {
			if strings.HasPrefix(b.lines[j], end) || strings.HasPrefix(b.lines[j], "## ") {
				return b.lines[i:j]
			}
		}
		return b.lines[i:]
	}
	return nil
}

// example is the number of a rule, to show how one is asked for.
func (b rulebook) example() string {
	for _, number := range []string{"5.6", "2.4"} {
		if b.rule(number) != nil {
			return number
		}
	}
	return "1.1"
}

// sections are the headings of the sections.
func (b rulebook) sections() []string {
	var list []string
	for _, line := range b.lines {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			list = append(list, heading)
		}
	}
	return list
}

// print sets lines of Markdown for a terminal.
func (b rulebook) print(lines []string, d *desk) string {
	var parts []string
	var table [][]string
	flush := func() {
		if table != nil {
			parts = append(parts, "  "+strings.Join(align(narrow(table, d.width-2)), "\n  "))
			table = nil
		}
	}
	for _, line := range lines {
		if row, ok := strings.CutPrefix(line, "|"); ok {
			if !strings.HasPrefix(row, "---") {
				cells := strings.Split(strings.TrimSuffix(row, "|"), "|")
				for i := range cells {
					cells[i] = strings.TrimSpace(cells[i])
				}
				table = append(table, cells)
			}
			continue
		}
		flush()
		heading := strings.TrimLeft(line, "#")
		switch {
		case line == "":
		case heading != line:
			parts = append(parts, d.bold(strings.TrimSpace(heading)))
		default:
			parts = append(parts, wrap(stress(line, d), d.width, "", ""))
		}
	}
	flush()
	return strings.Join(parts, "\n\n")
}

var (
	strong   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	stressed = regexp.MustCompile(`\*([^*]+)\*`)
)

// stress shows what is bold in bold and leaves other stresses to the words.
func stress(line string, d *desk) string {
	line = strong.ReplaceAllStringFunc(line, func(s string) string { return d.bold(strings.Trim(s, "*")) })
	return stressed.ReplaceAllString(line, "$1")
}
