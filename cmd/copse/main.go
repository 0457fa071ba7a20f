// Command copse is all of Copse in one binary: it serves the page, plays in the
// terminal, measures, and runs the engine that other programs drive.
package main

import (
	"os"
	_ "time/tzdata" // nights follow the clocks of a place, also on machines that know no zones

	"github.com/alecthomas/kong"

	"copse/nets"
)

// commands are the words after "copse". Each knows its flags and hands over to
// the package that does the work.
type commands struct {
	Said kong.VersionFlag `name:"version" help:"Say which Copse this is."`

	Serve    serveCommand    `cmd:"" help:"Serve the page and its tables: play in the browser, alone or with friends."`
	Play     playCommand     `cmd:"" help:"Play in the terminal, with friends at one keyboard or against bots."`
	Engine   engineCommand   `cmd:"" help:"Speak JSON: one request a line on standard input, one answer a line on standard output."`
	Think    thinkCommand    `cmd:"" help:"Ask a bot what it would do in a position, and why."`
	Arena    arenaCommand    `cmd:"" help:"Let bots play each other, and say who wins how often and how sure that is."`
	Ladder   ladderCommand   `cmd:"" help:"Let many bots play each other at tables of all sizes, rate them, and write a report."`
	Judge    judgeCommand    `cmd:"" help:"Measure how well something foretells the end of a game."`
	Lessons  lessonsCommand  `cmd:"" help:"Let bots play games to learn from, and write positions of them to a file."`
	Practise practiseCommand `cmd:"" help:"Find habits for the quick turns by which bots play games out, by playing thousands."`
	Balance  balanceCommand  `cmd:"" help:"Let bots of one kind play thousands of games, and say how fair seats, guilds and cards are."`
	Sim      simCommand      `cmd:"" help:"Play random games on all cores, and say what they were like."`
	Backup   backupCommand   `cmd:"" help:"Copy everything a server keeps to a file, while it runs."`
	Restore  restoreCommand  `cmd:"" help:"Put such a copy into an empty data folder, after it was checked."`
	Copy     copyCommand     `cmd:"" help:"Move a house: from a data folder into a PostgreSQL that several nodes share, or back."`
	Key      keyCommand      `cmd:"" help:"The key with which a server seals secrets: change it."`
	Nodes    nodesCommand    `cmd:"" help:"Show which nodes serve a house."`
	Export   exportCommand   `cmd:"" help:"Write a finished game for anyone to keep and verify."`
	Verify   verifyCommand   `cmd:"" help:"Prove an exported game: every draw, every move, the result, and that nothing was changed."`
	Ratings  ratingsCommand  `cmd:"" help:"Show how strong people are, or compute all ratings again from the results and their logs."`
	People   peopleCommand   `cmd:"" help:"Look after people: find them, mute, rename or ban them, make operators; also while a server runs."`
	Reports  reportsCommand  `cmd:"" help:"See what people have reported, and be done with it; also while a server runs."`
	Load     loadCommand     `cmd:"" help:"Play many games at once at a server, and say how fast it is and what that costs."`
	Loaded   loadedCommand   `cmd:"" hidden:"" help:"The server that copse load measures."`
	Box      boxCommand      `cmd:"" help:"The material of a game as data: show it, check one of your own."`

	Help       helpCommand       `cmd:"" help:"Show how a command is used."`
	Version    versionCommand    `cmd:"" help:"Say which Copse this is, and what it was built with."`
	Manual     manualCommand     `cmd:"" help:"Print all of this: as a man page, or as Markdown."`
	Completion completionCommand `cmd:"" help:"Print a script by which a shell completes commands and flags."`
}

func main() {
	var cmd commands
	app := newApp(&cmd)
	ctx, err := app.Parse(os.Args[1:])
	if err != nil {
		end(app, misuse{err})
	}
	if err := nets.Use(); err != nil {
		end(app, err)
	}
	end(app, ctx.Run())
}
