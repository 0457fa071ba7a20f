package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type manualCommand struct {
	As string `enum:"man,markdown" default:"man" help:"The form: man, for man -l -, or markdown."`
}

// Run prints the manual.
func (c manualCommand) Run(app *kong.Kong) error {
	write := writeMan
	if c.As == "markdown" {
		write = writeMarkdown
	}
	var b strings.Builder
	write(&b, app.Model)
	_, err := io.WriteString(os.Stdout, b.String())
	return err
}

// verbs are the commands that can be typed, those with words of their own below them
// included: box, box show. Hidden ones are for copse itself.
func verbs(under *kong.Node) (list []*kong.Node) {
	for _, n := range under.Children {
		if !n.Hidden && n.Type == kong.CommandNode {
			list = append(append(list, n), verbs(n)...)
		}
	}
	return list
}

// shown are the flags of a command that can be typed, those of commands above it
// included, without --help and --version, which all of them have.
func shown(n *kong.Node) (flags []*kong.Flag) {
	for ; n != nil && n.Type != kong.ApplicationNode; n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// spaced is words with a space between them.
func spaced(words []string) string { return strings.Join(words, " ") }

// typedAs is a flag as somebody types it, with what stands for its value.
func typedAs(f *kong.Flag) string {
	switch {
	case f.IsBool() && f.PlaceHolder != "": // it may stand alone
		return "--" + f.Name + "[=" + f.PlaceHolder + "]"
	case f.IsBool():
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + valueOf(f)
}

// valueOf is what stands for the value of a flag: how it is called, or of what it is
// one.
func valueOf(f *kong.Flag) string {
	switch {
	case f.PlaceHolder != "":
		return f.PlaceHolder
	case f.Enum != "":
		return strings.Join(choices(f.Value), "|")
	}
	return strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// choices are the values of which one must be typed; none where any may be.
func choices(v *kong.Value) (list []string) {
	if v.Enum == "" {
		return nil
	}
	for _, one := range v.EnumSlice() {
		if one != "" {
			list = append(list, one)
		}
	}
	return list
}

// usual is the value of a flag that is not typed, where that says anything.
func usual(f *kong.Flag) string {
	if f.IsBool() {
		return ""
	}
	return f.Default
}

// paragraphs are the parts of a longer text; those that are to be shown as they stand
// begin with a space.
func paragraphs(text string) (list []string) {
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Trim(part, "\n"); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// roff writes text so that troff shows it as it is. A hyphen that is typed must be
// one that can be copied; a list without spaces may be broken after its commas.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, ",", `,\:`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

// writeMan writes the manual as a man page.
func writeMan(w io.Writer, app *kong.Application) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // it writes to memory
	b := built()
	say(`.\" Printed by copse manual.`)
	say(`.TH COPSE 1 "%s" "Copse %s" "Copse"`, b.day(), release)
	say(".SH NAME")
	say(`copse \- board games about trees: serve them, play them, measure them`)
	say(".SH SYNOPSIS")
	say(".B copse\n.I command\n.RI [ flags ]")
	say(".SH DESCRIPTION\n%s", roff(app.Help))
	say(".SH COMMANDS")
	for _, n := range verbs(app.Node) {
		say(".SS %s", roff("copse "+n.Summary()))
		say("%s", roff(n.Help))
		for _, part := range paragraphs(n.Detail) {
			if strings.HasPrefix(part, " ") {
				say(".PP\n.nf")
				for line := range strings.Lines(part) {
					say("%s", roff(strings.TrimRight(line, "\n")))
				}
				say(".fi")
				continue
			}
			say(".PP\n%s", roff(spaced(strings.Fields(part))))
		}
		for _, a := range n.Positional {
			say(".TP\n.I %s\n%s", roff(a.Summary()), roff(a.Help))
		}
		for _, f := range shown(n) {
			say(".TP\n.B %s\n%s", roff(typedAs(f)), roff(f.Help))
			if u := usual(f); u != "" {
				say("Usually %s.", roff(u))
			}
			for _, env := range f.Tag.Envs {
				say(".br\nEnvironment: %s", roff(env))
			}
		}
	}
	say(".SH EVERYWHERE")
	for _, f := range app.Flags {
		say(".TP\n.B %s\n%s", roff(typedAs(f)), roff(f.Help))
	}
	say(".SH EXIT STATUS")
	for code, means := range exitCodes() {
		say(".TP\n.B %d\n%s", code, roff(means))
	}
	say(".SH FILES")
	say(".TP\n.I /etc/copse.env\nSettings of the service that a package installs, one a line, by the names that stand above as environment.")
	say(".TP\n.I /var/lib/copse\nWhere that service keeps everything: the database and the key of the server.")
	say(".SH SEE ALSO\nThe page that copse serve hands out: its rules of the games, and /api/docs for programs.")
}

// cell writes text so that it fits into a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(spaced(strings.Fields(text)), "|", `\|`)
}

// code is text as Markdown shows what is typed; nothing stays nothing.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + cell(text) + "`"
}

// writeMarkdown writes the manual as docs/commands.md has it.
func writeMarkdown(w io.Writer, app *kong.Application) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // it writes to memory
	say("# Commands\n\nWritten by `copse manual --as markdown`; a test holds it to the program. `copse help COMMAND` says the same, `man copse` where a package has installed it. What commands are for is told in [README](../README.md), [host.md](host.md), [arena.md](arena.md), [balance.md](balance.md), [engine.md](engine.md), [boxes.md](boxes.md) and [load.md](load.md).\n")
	say("`copse completion bash`, `zsh` or `fish` prints a script by which a shell completes all of this. Packages install them; else, for bash:\n\n```sh\ncopse completion bash > ~/.local/share/bash-completion/completions/copse\n```\n")
	say("| every command takes | |\n|---|---|")
	for _, f := range app.Flags {
		say("| %s | %s |", code(typedAs(f)), cell(f.Help))
	}
	say("\n| exit code | |\n|---|---|")
	for code, means := range exitCodes() {
		say("| %d | %s |", code, cell(means))
	}
	for _, n := range verbs(app.Node) {
		say("\n## copse %s\n\n%s", n.Path(), n.Help)
		for _, part := range paragraphs(n.Detail) {
			if strings.HasPrefix(part, " ") {
				part = "```\n" + part + "\n```"
			}
			say("\n%s", part)
		}
		say("\n```\ncopse %s\n```", n.Summary())
		if len(n.Positional) > 0 {
			say("\n| argument | |\n|---|---|")
			for _, a := range n.Positional {
				say("| %s | %s |", code(a.Summary()), cell(a.Help))
			}
		}
		if flags := shown(n); len(flags) > 0 {
			say("\n| flag | environment | usual | |\n|---|---|---|---|")
			for _, f := range flags {
				say("| %s | %s | %s | %s |", code(typedAs(f)), code(spaced(f.Tag.Envs)), code(usual(f)), cell(cmp.Or(f.Help, f.Name)))
			}
		}
	}
}
