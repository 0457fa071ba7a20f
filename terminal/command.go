package terminal

import (
	"slices"
	"strings"

	"copse/game"
	"copse/i18n"
)

// commands are what may be typed besides moves, by their English names. The locale
// files give them names: a word, and shorter ones after it.
func commands() []string {
	return []string{"help", "list", "board", "score", "log", "rule", "rules", "undo", "again", "quit"}
}

// command finds the command that was typed, by its names in the language of the
// desk or in English, and what was typed after it.
func (s *session) command(typed string) (command, argument string) {
	word, argument, _ := strings.Cut(typed, " ")
	if i := strings.IndexAny(word, "0123456789"); i > 1 && argument == "" { // "rule5.6"
		word, argument = word[:i], word[i:]
	}
	for _, locale := range []*i18n.Locale{s.locale, i18n.Pick("en")} {
		for _, command := range commands() {
			names := strings.Fields(fold(locale.Say("play.command."+command, nil, nil)))
			if slices.Contains(names, fold(word)) {
				return command, strings.TrimSpace(argument)
			}
		}
	}
	return "", ""
}

// commandName is the first name of a command.
func (s *session) commandName(command string) string {
	return strings.Fields(s.say("play.command."+command, nil))[0]
}

// obey carries out a command that does not change the game.
func (s *session) obey(command, argument string, sc *scene) {
	switch command {
	case "help":
		s.help()
	case "list":
		s.list(argument, sc)
	case "board":
		s.show(true)
	case "score":
		s.write(s.face.sheet(sc.now) + "\n")
	case "log":
		s.log()
	case "rule", "rules":
		s.rule(command, argument)
	}
}

// help says all that may be typed.
func (s *session) help() {
	s.write(s.face.help() + "\n")
	var rows [][]string
	for _, command := range commands() {
		names := strings.Fields(s.say("play.command."+command, nil))
		if command == "rule" {
			names = []string{names[0] + " " + s.rules.example()}
		}
		rows = append(rows, []string{strings.Join(names, ", "), s.say("play.help."+command, nil)})
	}
	s.write(hang(rows, s.width))
}

// list shows all moves with their numbers.
func (s *session) list(only string, sc *scene) {
	if len(sc.moves) == 0 {
		s.print(s.say("play.list.over", nil))
		return
	}
	menu := s.face.menu(sc, only)
	if menu == "" {
		s.print(s.say("play.list.none", game.Args{"only": quote(only)}))
		return
	}
	s.write(menu + "\n")
}

// log tells the game so far.
func (s *session) log() {
	turns := s.game.heard(0, s.listener())
	if len(turns) == 0 {
		s.print(s.say("play.log.none", nil))
	}
	for _, turn := range turns {
		for _, line := range s.face.tell(turn) {
			s.write(wrap(line, s.width, "· ", "  ") + "\n")
		}
	}
}

// rule shows one rule, one section or all the rules.
func (s *session) rule(command, number string) {
	number = strings.TrimRight(strings.ReplaceAll(number, ",", "."), ".")
	lines := s.rules.lines
	if number != "" {
		lines = s.rules.rule(number)
	}
	switch {
	case len(s.rules.lines) == 0:
		s.print(s.say("play.rule.unwritten", nil))
		return
	case number != "" && len(lines) == 0:
		s.print(s.say("play.rule.none", game.Args{"rule": quote(number)}))
	case number != "" || command == "rules":
		s.write(s.rules.print(lines, s.desk) + "\n")
		return
	}
	s.print(s.say("play.rule.which", game.Args{"command": s.commandName("rule"), "rule": "1.1", "section": "1"}))
	for _, heading := range s.rules.sections() {
		s.write("  " + heading + "\n")
	}
}
