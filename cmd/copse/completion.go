package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help says where the script goes.
func (completionCommand) Help() string {
	return `Where it goes:

  copse completion bash > ~/.local/share/bash-completion/completions/copse
  copse completion zsh > "${fpath[1]}/_copse"
  copse completion fish > ~/.config/fish/completions/copse.fish`
}

// Run prints the script.
func (c completionCommand) Run(app *kong.Kong) error {
	write := map[string]func(io.Writer, *kong.Application){"bash": writeBash, "zsh": writeZsh, "fish": writeFish}[c.Shell]
	var b strings.Builder
	write(&b, app.Model)
	_, err := io.WriteString(os.Stdout, b.String())
	return err
}

// wants is what can be typed for a value: words, a file, a folder, or anything.
type wants struct {
	words []string
	file  bool
	dir   bool
}

// some tells whether it is known what can be typed.
func (w wants) some() bool { return w.words != nil || w.file || w.dir }

// wanted is what can be typed for a flag's value or an argument.
func wanted(app *kong.Application, v *kong.Value) wants {
	if list := choices(v); list != nil {
		return wants{words: list}
	}
	switch v.Tag.Type {
	case "existingdir":
		return wants{dir: true}
	case "path", "existingfile":
		if v.Tag.PlaceHolder == "FOLDER" {
			return wants{dir: true}
		}
		return wants{file: true}
	}
	var list []string
	switch {
	case v.Name == "game":
		for _, e := range registry() {
			list = append(list, e.game.About().Name)
		}
	case v.Name == "command":
		for _, n := range below(app.Node) {
			list = append(list, n.Name)
		}
	case v.Name == "file", v.Name == "box", v.Tag.PlaceHolder == "FILE":
		return wants{file: true}
	}
	return wants{words: list}
}

// below are the commands that can follow a command.
func below(n *kong.Node) (list []*kong.Node) {
	for _, child := range n.Children {
		if !child.Hidden && child.Type == kong.CommandNode {
			list = append(list, child)
		}
	}
	return list
}

// levels are the application and every command: wherever something can be completed.
func levels(app *kong.Application) []*kong.Node {
	return append([]*kong.Node{app.Node}, verbs(app.Node)...)
}

// offered are the flags that can be typed at a place, --help and --version included.
func offered(app *kong.Application, n *kong.Node) []*kong.Flag {
	return append(shown(n), app.Flags...)
}

// pathTo is a command as the words that lead to it; nothing for the application.
func pathTo(n *kong.Node) string {
	if n.Type == kong.ApplicationNode {
		return ""
	}
	return n.Path()
}

// quoted is text as a shell reads it back, whatever is in it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// short is the first sentence of a help text: shells show one line.
func short(help string) string {
	help = spaced(strings.Fields(help))
	for _, stop := range []string{". ", "; ", ": "} {
		if before, _, found := strings.Cut(help, stop); found {
			help = before
		}
	}
	return strings.TrimRight(help, ".:;")
}

// writeBash writes the completion for bash. It needs no other script.
func writeBash(w io.Writer, app *kong.Application) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // it writes to memory
	var paths []string
	for _, n := range verbs(app.Node) {
		paths = append(paths, quoted(n.Path()))
	}
	say(`# Completion of copse for bash, printed by copse completion bash.
_copse() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= file= dir= i
	COMPREPLY=()
	# To bash --flag=value is three words.
	if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "${command:+$command }${COMP_WORDS[i]}" in
		%s) command="${command:+$command }${COMP_WORDS[i]}" ;;
		esac
	done`, strings.Join(paths, "|"))
	say("\tcase \"$command $prev\" in")
	for _, n := range levels(app) {
		for _, f := range offered(app, n) {
			if f.IsBool() {
				continue
			}
			say("\t%s) %s ;;", quoted(pathTo(n)+" --"+f.Name), bashWants(wanted(app, f.Value), true))
		}
	}
	say("\t*)\n\t\tcase $command in")
	for _, n := range levels(app) {
		var list []string
		for _, child := range below(n) {
			list = append(list, child.Name)
		}
		add := wants{}
		for _, a := range n.Positional {
			more := wanted(app, a)
			add.words, add.file, add.dir = append(add.words, more.words...), add.file || more.file, add.dir || more.dir
		}
		list = append(list, add.words...)
		for _, f := range offered(app, n) {
			list = append(list, "--"+f.Name)
		}
		say("\t\t%s) words=%s%s ;;", quoted(pathTo(n)), quoted(spaced(list)), bashWants(wants{file: add.file, dir: add.dir}, false))
	}
	say(`		esac
		;;
	esac
	local IFS=$' \t\n'
	[[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
	if [[ -n $file$dir && $cur != -* ]]; then
		compopt -o filenames 2>/dev/null
		local found
		while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen ${file:+-f} ${dir:+-d} -- "$cur")
	fi
}
complete -F _copse copse`)
}

// bashWants sets the variables by which the script completes a value.
func bashWants(of wants, alone bool) string {
	switch {
	case of.words != nil:
		return "words=" + quoted(spaced(of.words))
	case of.file && alone:
		return "file=1"
	case of.dir && alone:
		return "dir=1"
	case of.file:
		return " file=1"
	case of.dir:
		return " dir=1"
	case alone:
		return ":" // anything may be typed, and nobody knows what
	}
	return ""
}

// writeZsh writes the completion for zsh.
func writeZsh(w io.Writer, app *kong.Application) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // it writes to memory
	say("#compdef copse\n# Completion of copse for zsh, printed by copse completion zsh.")
	for _, n := range levels(app) {
		name := "_copse"
		if path := pathTo(n); path != "" {
			name += "_" + strings.ReplaceAll(path, " ", "_")
		}
		say("\n%s() {\n\tlocal -a line commands\n\tlocal context state state_descr\n\ttypeset -A opt_args", name)
		children := below(n)
		if len(children) > 0 {
			say("\tcommands=(")
			for _, child := range children {
				say("\t\t%s", quoted(child.Name+":"+strings.ReplaceAll(short(child.Help), ":", `\:`)))
			}
			say("\t)")
		}
		say("\t_arguments -C -S \\")
		for _, f := range offered(app, n) {
			say("\t\t%s \\", quoted(zshFlag(app, f)))
		}
		switch {
		case len(children) > 0:
			say("\t\t'1:command:->command' \\\n\t\t'*::argument:->argument' && return")
			say("\tcase $state in\n\tcommand) _describe -t commands 'copse command' commands ;;\n\targument)\n\t\tcase $line[1] in")
			for _, child := range children {
				say("\t\t%s) %s_%s ;;", child.Name, name, child.Name)
			}
			say("\t\tesac\n\t\t;;\n\tesac")
		default:
			for i, a := range n.Positional {
				at := fmt.Sprint(i + 1)
				if a.IsCumulative() {
					at = "*"
				}
				say("\t\t%s \\", quoted(at+":"+a.Name+":"+zshWants(wanted(app, a))))
			}
			say("\t\t&& return")
		}
		say("}")
	}
	say("\n# It is sourced, or autoloaded as the function _copse.\nif [[ $funcstack[1] == _copse ]]; then _copse \"$@\"; else compdef _copse copse; fi")
}

// zshFlag is a flag as _arguments reads it.
func zshFlag(app *kong.Application, f *kong.Flag) string {
	about := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(short(f.Help))
	if f.IsBool() {
		return "--" + f.Name + "[" + about + "]"
	}
	many := ""
	if f.IsCumulative() {
		many = "*"
	}
	return many + "--" + f.Name + "=[" + about + "]:" + strings.ReplaceAll(valueOf(f), ":", `\:`) + ":" + zshWants(wanted(app, f.Value))
}

func zshWants(of wants) string {
	switch {
	case of.words != nil:
		list := make([]string, len(of.words))
		for i, word := range of.words {
			list[i] = strings.ReplaceAll(word, ":", `\:`)
		}
		return "(" + spaced(list) + ")"
	case of.file:
		return "_files"
	case of.dir:
		return "_files -/"
	}
	return ""
}

// writeFish writes the completion for fish.
func writeFish(w io.Writer, app *kong.Application) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // it writes to memory
	say("# Completion of copse for fish, printed by copse completion fish.\ncomplete -c copse -f")
	for _, n := range levels(app) {
		at := fishAt(n)
		for _, child := range below(n) {
			say("complete -c copse -n %s -a %s -d %s", quoted(at), child.Name, quoted(short(child.Help)))
		}
		for _, a := range n.Positional {
			if of := wanted(app, a); of.some() {
				say("complete -c copse -n %s%s", quoted(at), fishWants(of))
			}
		}
		for _, f := range offered(app, n) {
			value := ""
			if !f.IsBool() {
				value = " -x"
				if of := wanted(app, f.Value); of.some() {
					value = " -r" + fishWants(of)
				}
			}
			say("complete -c copse -n %s -l %s%s -d %s", quoted(at), f.Name, value, quoted(short(f.Help)))
		}
	}
}

// fishAt is when something can be completed: once the command was typed, and before
// one of those that can follow it was.
func fishAt(n *kong.Node) string {
	if n.Type == kong.ApplicationNode {
		return "__fish_use_subcommand"
	}
	at := ""
	for up := n; up.Type != kong.ApplicationNode; up = up.Parent {
		at = "__fish_seen_subcommand_from " + up.Name + "; and " + at
	}
	at = strings.TrimSuffix(at, "; and ")
	for _, child := range below(n) {
		at += "; and not __fish_seen_subcommand_from " + child.Name
	}
	return at
}

func fishWants(of wants) string {
	switch {
	case of.words != nil:
		return " -x -a " + quoted(spaced(of.words))
	case of.dir:
		return " -x -a '(__fish_complete_directories)'"
	}
	return " -F"
}
