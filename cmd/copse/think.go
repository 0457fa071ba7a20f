package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"copse/bot"
	"copse/engine"
	"copse/game"
	"copse/games"
	"copse/i18n"
	"copse/terminal"
)

type thinkCommand struct {
	File   string `arg:"" optional:"" help:"Requests of the engine, one a line, that lead to the position; by default they are read from standard input."`
	Player string `default:"level:10" placeholder:"NAME" help:"Who thinks: level:1 to level:10, greedy, and so on."`
	MS     int    `name:"ms" placeholder:"MS" help:"Milliseconds after which it has to answer; by default it takes the time it needs."`
	Seed   string `default:"1" help:"Any text. The same seed finds the same."`
	Lang   string `default:"" enum:",en,fr,it" placeholder:"en|fr|it" help:"The language; by default that of the environment."`
	JSON   bool   `help:"Print the engine's answer; docs/engine.md says what is in it."`
}

// Help shows how a position is given.
func (thinkCommand) Help() string {
	return `A position is given as docs/engine.md says, by the requests that lead to it:

  {"do":"new","game":"bosk","seats":2}
  {"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}

Whoever is to act then is thought for, from what that seat has seen and heard.`
}

// Run goes to the position, has a player think, and says what it found.
func (c thinkCommand) Run() error {
	in := io.Reader(os.Stdin)
	if c.File != "" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	lang := cmp.Or(c.Lang, os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	q := asking{engine: engine.New(games.All()...), locale: i18n.Pick(lang)}
	if err := q.come(in); err != nil {
		return err
	}
	request := map[string]any{"do": "think", "player": c.Player, "seed": c.Seed}
	if c.MS != 0 {
		request["ms"] = c.MS
	}
	var found struct {
		ToAct   []game.Seat
		Line    []json.RawMessage
		Now     float64
		Options []bot.Option
		Cut     bool
	}
	answer, err := q.ask(request, &found)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err := fmt.Printf("%s\n", answer)
		return err
	}
	now, err := q.seen(found.ToAct[0])
	if err != nil {
		return err
	}
	advice := terminal.Advice{Player: c.Player, Now: found.Now, Cut: found.Cut, Plans: []terminal.Plan{{Line: found.Line}}}
	for i, o := range found.Options {
		plan := terminal.Plan{Line: o.Line, Margin: o.Margin, Win: o.Win, Reasons: o.Reasons}
		if i == 0 {
			plan.Line = found.Line
			advice.Plans[0] = plan
		} else {
			advice.Plans = append(advice.Plans, plan)
		}
	}
	columns, _ := window(os.Stdout, os.Getenv)
	return terminal.Advise(os.Stdout, q.table.Game, q.locale.Tag(), columns, now, advice)
}

// asking is a talk with an engine, and the table to which it has led.
type asking struct {
	engine *engine.Engine
	locale *i18n.Locale
	table  struct {
		Game    string
		Seats   int
		Options json.RawMessage
		Version int
	}
}

// come sends every line to the engine, one after the other. It leaves out empty
// lines, and requests to think. The first line that is not taken ends it: the error
// names the line and says why.
func (q *asking) come(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, engine.LongestLine+1)
	number, begun := 0, false
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\uFEFF"))) // some editors write a byte order mark
		var request struct{ Do string }
		_ = json.Unmarshal(line, &request) // the engine answers a line that cannot be read
		if len(line) == 0 || request.Do == "think" {
			continue
		}
		if _, err := q.send(line, nil); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if request.Do == "new" || request.Do == "open" {
			begun = true
			q.table.Options, q.table.Version = nil, 0
			if err := json.Unmarshal(line, &q.table); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: %w", number+1, q.blame(engine.TooLong()))
	}
	if lines.Err() != nil {
		return lines.Err()
	}
	if !begun {
		return errors.New(`there is no position to think about: give the requests that lead to it, the first for example {"do":"new","game":"bosk","seats":2}`)
	}
	return nil
}

// ask sends a request of our own.
func (q *asking) ask(request map[string]any, into any) ([]byte, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return q.send(line, into)
}

// send has the engine answer a request.
func (q *asking) send(line []byte, into any) ([]byte, error) {
	answer := q.engine.Answer(line)
	if err := q.blame(answer); err != nil {
		return nil, err
	}
	if into == nil {
		return answer, nil
	}
	return answer, json.Unmarshal(answer, into)
}

// blame says in words why an answer says no; nil where it does not.
func (q *asking) blame(answer []byte) error {
	var no struct {
		OK      bool
		Error   *game.Fault
		Refusal *game.Refusal
		Entry   *int
	}
	if err := json.Unmarshal(answer, &no); err != nil || no.OK {
		return err
	}
	var why string
	if r := no.Refusal; r != nil {
		why = q.locale.Say("think.refused", game.Args{"why": q.locale.Say(r.Key, r.Args, nil), "rule": r.Rule}, nil)
	} else {
		why = q.locale.Say(no.Error.Key, no.Error.Args, nil)
	}
	if no.Entry != nil {
		return fmt.Errorf(`entry %d of "then": %s`, *no.Entry, why)
	}
	return errors.New(why)
}

// seen is the position as a seat knows it: its record, opened anew.
func (q *asking) seen(seat game.Seat) (game.Position, error) {
	var record struct {
		View json.RawMessage
		Then []struct {
			Seat json.RawMessage
			Move json.RawMessage
		}
	}
	if _, err := q.ask(map[string]any{"do": "record", "seat": seat}, &record); err != nil {
		return nil, err
	}
	e, err := find(q.table.Game)
	if err != nil {
		return nil, err
	}
	now, err := e.game.Open(game.Settings{Seats: q.table.Seats, Options: q.table.Options, Version: q.table.Version}, seat, record.View)
	for _, told := range record.Then {
		if err != nil {
			break
		}
		by, ok := game.ParseSeat(told.Seat)
		if !ok {
			return nil, fmt.Errorf("a record tells of a move by %s", told.Seat)
		}
		now, _, err = now.Play(by, told.Move)
	}
	return now, inWords(err)
}
