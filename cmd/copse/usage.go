package main

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"copse/arena"
	"copse/game"
)

// The codes with which copse ends. The manual tells them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// exitCodes says what the codes mean, in their order.
func exitCodes() []string {
	return []string{
		exitDone:   "It was done.",
		exitFailed: "It was not done, or it found something wrong; standard error says what.",
		exitUsage:  "It was not begun, for the command line or the environment asks for something that there is not; standard error says what.",
	}
}

// misuse is an error of whoever typed the command: the command line itself is wrong,
// and the same again will never be done.
type misuse struct{ err error }

func (m misuse) Error() string { return m.err.Error() }
func (m misuse) Unwrap() error { return m.err }

// ExitCode is what kong ends the process with.
func (misuse) ExitCode() int { return exitUsage }

// misused says what is wrong with the command line, and what would be right.
func misused(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// mistyped blames the command line for an error, in words; nil where there is none.
func mistyped(err error) error {
	if err == nil {
		return nil
	}
	return misuse{inWords(err)}
}

// blamed is an error in words. Where settings can never be played, the command line
// is to blame.
func blamed(err error) error {
	var fault *game.Fault
	var unfit *arena.Unfit
	if errors.As(err, &fault) || errors.As(err, &unfit) {
		return mistyped(err)
	}
	return err
}

// newApp reads the commands and their flags off the type that declares them. Help,
// the manual and completion are made of the same model, so that none can lack one.
func newApp(cmd *commands, with ...kong.Option) *kong.Kong {
	return kong.Must(cmd, append([]kong.Option{
		kong.Name("copse"),
		kong.Description("Board games about trees: play them, measure them, drive them from a program of your own."),
		kong.Vars{"version": "copse " + built().String()},
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "nodes", Title: "Several nodes:"},
			{Key: "limits", Title: "Limits:"},
		}),
	}, with...)...)
}

// end ends the process as an error says; where there is none it does nothing. How
// the command is used goes where errors go: standard output is for what was asked
// for.
func end(app *kong.Kong, err error) {
	app.Stdout = app.Stderr
	app.FatalIfErrorf(err)
}

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, for example serve, or box show; all of them without one."`
}

// Run shows how a command is used.
func (c helpCommand) Run(app *kong.Kong) error {
	ctx, err := kong.Trace(app, c.Command)
	if err == nil {
		err = ctx.Error
	}
	if err != nil {
		return misused("no command is called %q: copse help lists them", spaced(c.Command))
	}
	return ctx.PrintUsage(false)
}
