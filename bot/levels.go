package bot

import (
	"strconv"
	"strings"

	"copse/game"
)

// LevelInfo is a level as people choose it: a name, and one sentence about it.
type LevelInfo struct {
	Player string `json:"player"`
	Name   Words  `json:"name"`
	About  Words  `json:"about"`
}

// Words are a key with arguments that the locale files turn into words.
type Words struct {
	Key  string    `json:"key"`
	Args game.Args `json:"args"`
}

// levelPhrases are the keys that say what levels are called and how strong they
// are. The style of a level is one of "most", "some" and "none": how many of the
// moves it overlooks.
func levelPhrases() []game.Phrase {
	list := []game.Phrase{
		game.Say("bot.level.random", "style", "tenths"),
		game.Say("bot.level.greedy", "style", "tenths"),
		game.Say("bot.level.flat", "style", "tenths", "playouts"),
		game.Say("bot.level.level", "style", "tenths", "level"),
	}
	for n := range Levels {
		list = append(list, game.Needed(game.WhenNamed, game.Say(levelName(n+1)))...)
	}
	return list
}

func levelName(n int) string { return "bot.level.name." + strconv.Itoa(n) }

// LevelsOf are the levels of a game whose strength was measured, the weakest first.
func LevelsOf(about game.About) []LevelInfo {
	list, all := []LevelInfo{}, efforts()
	for i, measured := range about.Levels {
		n := i + 1
		list = append(list, LevelInfo{
			Player: levelPrefix + strconv.Itoa(n),
			Name:   Words{Key: levelName(n), Args: game.Args{}},
			About:  strength(measured, all[i].style()),
		})
	}
	return list
}

// style is how many of the moves a player overlooks.
func (e *effort) style() string {
	switch {
	case e.share < 0.5:
		return "most"
	case e.share < 1:
		return "some"
	}
	return "none"
}

// strength is the sentence about a level.
func strength(l game.Level, style string) Words {
	args := game.Args{"style": style, "tenths": (l.Wins + 5) / 10}
	kind, number, _ := strings.Cut(l.Against, ":")
	switch l.Against {
	case flatPrefix + number:
		args["playouts"] = number
	case levelPrefix + number:
		args["level"] = number
	}
	return Words{Key: "bot.level." + kind, Args: args}
}
