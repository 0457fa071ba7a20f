package server

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// doneReply is the answer to everything that happens at a table.
type doneReply struct {
	Number int `json:"number" about:"Of the last entry that came of it."`
}

// do carries out a command at the table of the address.
func (c *call) do(want func(table.Person) table.Command) (doneReply, error) {
	once, err := c.onceBy()
	if err != nil {
		return doneReply{}, err
	}
	return c.doOnce(once, want)
}

func (c *call) doOnce(once store.Once, want func(table.Person) table.Command) (doneReply, error) {
	number, err := c.Hall.Do(c.r.Context(), c.table(), hall.Request{By: c.by, Want: want, Once: once})
	return doneReply{number}, err
}

// ask carries out a command that is no move. Such commands are limited: by asking and
// withdrawing for ever a person could make a log long.
func (c *call) ask(want func(table.Person) table.Command) (doneReply, error) {
	once, err := c.onceBy()
	if err != nil {
		return doneReply{}, err
	}
	if err := c.mayAsk(once); err != nil {
		return doneReply{}, err
	}
	return c.doOnce(once, want)
}

// mayAsk refuses who asks too often at the table of the address, unless the request
// repeats one that was carried out before.
func (c *call) mayAsk(once store.Once) error {
	err := c.Server.often(c.r, "asks at "+c.table(), c.by.ID, quota{c.limits.Asks, time.Minute, max(2*c.limits.Asks, 1)})
	if err != nil && once.Key != "" && c.before(once) {
		return nil
	}
	return err
}

// playBody is a draft.
type playBody struct {
	After int               `json:"after" about:"The last entry that was seen when the draft was made."`
	Moves []json.RawMessage `json:"moves"`
}

// play makes the moves of a draft: the way of a move begins here.
func (c *call) play(in playBody) (doneReply, error) {
	once, err := c.onceBy()
	if err != nil {
		return doneReply{}, err
	}
	if in.After < 0 {
		return doneReply{}, game.Blame("json.range", game.Args{"field": "after", "least": 0, "most": math.MaxInt32})
	}
	once.After = in.After + 1 // what is repeated cannot have been made before
	return c.doOnce(once, func(p table.Person) table.Command {
		return table.Play{Person: p, After: in.After, Moves: in.Moves}
	})
}

// sitBody is how somebody sits down.
type sitBody struct {
	Nonce string     `json:"nonce" about:"16 random bytes as 32 hexadecimal digits, which the server could not know before."`
	Seat  *game.Seat `json:"seat,omitempty" about:"Any where there is none."`

	Invite *string `json:"invite,omitempty" about:"What the link to the table says behind its #, once the host has sent somebody away."`
}

func (c *call) sit(in sitBody) (doneReply, error) {
	once, err := c.onceBy()
	if err != nil {
		return doneReply{}, err
	}
	nonce, ok := table.ParseNonce(in.Nonce)
	if !ok {
		return doneReply{}, game.Blame("table.nonce", game.Args{"bytes": len(nonce)})
	}
	if c.limits.Tables >= 0 {
		done, err := c.inTurn("sits", c.by.ID)
		if err != nil {
			return doneReply{}, err
		}
		defer done()
	}
	full := c.oneMoreSeat()
	if full != nil && !c.before(once) {
		return doneReply{}, full
	}
	if err := c.mayAsk(once); err != nil {
		return doneReply{}, err
	}
	sit := table.Sit{Seat: game.None, Nonce: nonce}
	if in.Seat != nil {
		sit.Seat = *in.Seat
	}
	if in.Invite != nil {
		sit.Invite = *in.Invite
	}
	number, err := c.Hall.Sit(c.r.Context(), c.table(), c.by, sit, once)
	if err == nil && full == nil {
		err = c.oneTooMany()
	}
	return doneReply{number}, err
}

// oneTooMany gets somebody up again who has sat down at one table too many, because
// they sat down at several at the same time while nodes could not take turns.
func (c *call) oneTooMany() error {
	if c.limits.Tables < 0 {
		return nil
	}
	sits, err := c.Hall.SitsAt(c.r.Context(), c.by, c.limits.Tables+1)
	if err != nil || sits <= c.limits.Tables {
		return hall.Unsure(err)
	}
	if _, err := c.Hall.Do(c.r.Context(), c.table(), hall.Request{By: c.by, Want: func(p table.Person) table.Command { return table.Leave{Person: p} }}); err != nil {
		return hall.Unsure(err)
	}
	return game.Refuse("", "server.tables", game.Args{"most": c.limits.Tables})
}

// before tells whether the request repeats one that was carried out before, which the
// table then answers as it did.
func (c *call) before(once store.Once) bool {
	done, err := c.Hall.Answered(c.r.Context(), c.table(), c.by, once)
	return done || errors.Is(err, store.ErrReused)
}

func (c *call) leave(none) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Leave{Person: p} })
}

func (c *call) comeBack(none) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Return{Person: p} })
}

// botBody is a bot for a seat.
type botBody struct {
	Seat   game.Seat `json:"seat"`
	Player string    `json:"player" about:"Its name, such as level:5."`
}

func (c *call) seatBot(in botBody) (doneReply, error) {
	if err := c.known(in.Player); err != nil {
		return doneReply{}, err
	}
	return c.ask(func(p table.Person) table.Command { return table.SeatBot{Person: p, Seat: in.Seat, Player: in.Player} })
}

// known refuses a bot that there is not for the game of the table.
func (c *call) known(player string) error {
	look, err := c.Hall.Look(c.r.Context(), c.table(), c.by)
	if err != nil {
		return err
	}
	return c.Hall.CheckPlayer(look.Look.Settings.Game, player)
}

// seatBody is a seat.
type seatBody struct {
	Seat game.Seat `json:"seat"`
}

func (c *call) kick(in seatBody) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Kick{Person: p, Seat: in.Seat} })
}

func (c *call) dropBot(none) (doneReply, error) {
	seat, err := pathNumber(c, "seat")
	if err != nil {
		return doneReply{}, err
	}
	if seat < 0 || seat >= game.MaxSeats {
		return doneReply{}, store.ErrNone
	}
	return c.ask(func(p table.Person) table.Command { return table.DropBot{Person: p, Seat: game.Seat(seat)} })
}

// pathNumber is a number in the address. What is none is no address.
func pathNumber(c *call, name string) (int, error) {
	n, err := strconv.ParseInt(c.r.PathValue(name), 10, 32)
	if err != nil || strconv.FormatInt(n, 10) != c.r.PathValue(name) {
		return 0, store.ErrNone
	}
	return int(n), nil
}

// startBody is how a game begins.
type startBody struct {
	Fill *string `json:"fill,omitempty" about:"The bot for the empty seats."`
}

func (c *call) start(in startBody) (doneReply, error) {
	fill := ""
	if in.Fill != nil {
		fill = *in.Fill
		if err := c.known(fill); err != nil {
			return doneReply{}, err
		}
	}
	return c.do(func(p table.Person) table.Command { return table.Start{Person: p, Fill: fill} })
}

// undoBody is how far to go back.
type undoBody struct {
	To *int `json:"to,omitempty" about:"The entry after which I was to move; usually the beginning of my last turn."`
}

func (c *call) undo(in undoBody) (doneReply, error) {
	to := -1
	if in.To != nil {
		if to = *in.To; to < 0 {
			return doneReply{}, game.Blame("json.range", game.Args{"field": "to", "least": 0, "most": math.MaxInt32})
		}
	}
	return c.ask(func(p table.Person) table.Command { return table.TakeBack{Person: p, To: to} })
}

func (c *call) suggestPause(none) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Pause} })
}

func (c *call) suggestAbandon(none) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Abandon} })
}

func (c *call) resume(none) (doneReply, error) {
	return c.ask(func(p table.Person) table.Command { return table.Resume{Person: p} })
}

func (c *call) resign(none) (doneReply, error) {
	return c.do(func(p table.Person) table.Command { return table.Resign{Person: p} })
}

// answerBody is what somebody says to what another asks for.
type answerBody struct {
	For string `json:"for" about:"What was asked for."`
	Yes bool   `json:"yes"`
}

func (c *call) agree(in answerBody) (doneReply, error) {
	wish, _ := table.ParseWish(in.For) // the table says which there are
	return c.ask(func(p table.Person) table.Command { return table.Answer{Person: p, For: wish, Yes: in.Yes} })
}

func (c *call) rematch(none) (tableReply, error) {
	sight, err := c.Hall.Look(c.r.Context(), c.table(), c.by)
	if err != nil {
		return tableReply{}, err
	}
	if sight.You != nil && sight.Next == "" { // the first to ask for it sets a table
		if err := c.moreTables(sight.Look.Settings.Games()); err != nil {
			return tableReply{}, err
		}
	}
	id, err := c.Hall.Rematch(c.r.Context(), c.table(), c.by)
	return tableReply{id}, err
}

// sayBody is something to say: one of the two.
type sayBody struct {
	Phrase *string `json:"phrase,omitempty" about:"One of the set phrases."`
	Text   *string `json:"text,omitempty"`
}

func (c *call) say(in sayBody) (*hall.ChatLine, error) {
	once, err := c.onceBy()
	if err != nil {
		return nil, err
	}
	words, err := in.words(c.body)
	if err != nil {
		return nil, err
	}
	if err := c.often("chat", c.by.ID, quota{linesASecond, time.Second, 8}); err != nil {
		return nil, err
	}
	if err := c.saying(words); err != nil {
		return nil, err
	}
	return c.Hall.Say(c.r.Context(), c.table(), c.by, words, once)
}

// words are what is to be said: one of the two, as the body names it.
func (in sayBody) words(body []byte) (hall.Words, error) {
	var fields map[string]json.RawMessage
	if len(body) > 0 {
		if err := json.Unmarshal(body, &fields); err != nil { // never: it was read before
			return hall.Words{}, err
		}
	}
	switch {
	case len(fields) != 1:
		return hall.Words{}, game.Blame("server.say", nil)
	case in.Phrase != nil:
		return hall.Words{Phrase: *in.Phrase}, table.CheckSaying(*in.Phrase)
	case in.Text == nil:
		return hall.Words{}, game.Blame("server.say", nil)
	case utf8.RuneCountInString(*in.Text) > table.LongestChat:
		return hall.Words{}, game.Blame("table.chat.long", game.Args{"most": table.LongestChat})
	}
	_, err := table.CleanChat(*in.Text) // as the hall does
	return hall.Words{Text: *in.Text}, err
}
