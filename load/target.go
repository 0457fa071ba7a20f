package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"copse/game"
)

// players is how many sit at a table.
const players = 2

// target is what is put under load: a server of Copse, or the least there could
// be in its place.
type target interface {
	// set sets a table for two, each of whom has a door, and says how its streams and moves are asked
	// for. The game begins when begin is called.
	set(ctx context.Context, doors [players]*connections, seed uint64) (*venue, error)
}

// venue is a table as its players reach it.
type venue struct {
	streams [players]string // where each player listens
	moves   string          // where moves are sent
	cookies [players]string
	begin   func(context.Context) (number int, err error) // begins the game; the number of the last entry of that
	play    play
}

// play is a game as its players follow it.
type play interface {
	// hear takes in what a stream told a player, and gives the number of the
	// last entry that the player knows then.
	hear(seat int, event string, data []byte) (number int, err error)

	// next is who moves now and what is sent; over where nobody does. What is
	// sent may be overwritten by the next call.
	next(after int) (seat int, body []byte, over bool, err error)
}

// copse is a server of Copse.
type copse struct {
	game  game.Game
	plans plans
}

func (c *copse) set(ctx context.Context, doors [players]*connections, seed uint64) (*venue, error) {
	rng := rand.New(rand.NewPCG(seed, 5))
	name := c.game.About().Name
	p := &venue{play: &copsePlay{game: c.game, rng: rng, plans: &c.plans}}
	for seat := range players {
		_, cookie, err := doors[seat].ask(ctx, request{method: "POST", path: "/api/me", body: fmt.Appendf(nil, `{"name":"Player %d"}`, seat+1)})
		if err != nil {
			return nil, fmt.Errorf("a guest: %w", err)
		}
		if cookie == "" {
			return nil, errors.New("a guest got no cookie")
		}
		p.cookies[seat] = cookie
	}
	raw, _, err := doors[0].ask(ctx, request{method: "POST", path: "/api/tables", cookie: p.cookies[0], body: fmt.Appendf(nil, `{"game":%q,"seats":%d}`, name, players)})
	if err != nil {
		return nil, fmt.Errorf("a table: %w", err)
	}
	var made struct{ Table string }
	if err := json.Unmarshal(raw, &made); err != nil {
		return nil, err
	}
	at := "/api/tables/" + made.Table
	p.moves = at + "/moves"
	for seat := range players {
		p.streams[seat] = "/api/stream?table=" + made.Table
		body := fmt.Appendf(nil, `{"nonce":"%016x%016x","seat":%d}`, rng.Uint64(), rng.Uint64(), seat)
		if _, _, err := doors[seat].ask(ctx, request{method: "POST", path: at + "/sit", cookie: p.cookies[seat], key: "sit", body: body}); err != nil {
			return nil, fmt.Errorf("sitting down: %w", err)
		}
	}
	p.begin = func(ctx context.Context) (int, error) {
		raw, _, err := doors[0].ask(ctx, request{method: "POST", path: at + "/start", cookie: p.cookies[0], key: "start", body: []byte("{}")})
		if err != nil {
			return 0, err
		}
		return readNumber(raw)
	}
	return p, nil
}

// readNumber reads the answer to what happens at a table.
func readNumber(raw []byte) (int, error) {
	var done struct{ Number *int }
	if err := json.Unmarshal(raw, &done); err != nil {
		return 0, err
	}
	if done.Number == nil {
		return 0, fmt.Errorf("answered without a number: %.200s", raw)
	}
	return *done.Number, nil
}

// copsePlay follows a game by the rules, each player from its own view. Where
// there are no secrets one view serves for both, and where nothing is left to chance
// either, a line of play that was planned before.
type copsePlay struct {
	game  game.Game
	rng   *rand.Rand
	plans *plans
	views [players]game.Position
	plan  []planned // what is still to be played…
	ahead bool      // …as there is a plan: the views stay where it began
	over  bool
	body  []byte
}

// entryNews is what is read of an entry.
type entryNews struct {
	Number int
	Entry  struct {
		Do   string
		Seat game.Seat
		Move json.RawMessage
	}
	Look *lookNews
}

// lookNews is what is read of a table as it is.
type lookNews struct {
	Number   int
	Settings struct {
		Version int
		Options json.RawMessage
	}
	View json.RawMessage
}

func (p *copsePlay) hear(seat int, event string, data []byte) (int, error) {
	if event == "look" {
		var news struct{ Look *lookNews }
		if err := json.Unmarshal(data, &news); err != nil {
			return 0, err
		}
		if news.Look == nil {
			return 0, errors.New("a look without one")
		}
		return news.Look.Number, p.look(seat, news.Look)
	}
	if p.views[0] != nil && !p.views[0].Secrets() && seat != 0 {
		if number, _, ok := cutNumber(data); ok {
			return number, nil
		}
		var news struct{ Number int }
		err := json.Unmarshal(data, &news)
		return news.Number, err
	}
	if len(p.plan) > 0 {
		if number, ok := p.plan[0].heard(data); ok {
			p.plan = p.plan[1:]
			return number, nil
		}
	}
	var news entryNews
	if err := json.Unmarshal(data, &news); err != nil {
		return 0, err
	}
	return news.Number, p.entry(seat, &news)
}

func (p *copsePlay) entry(seat int, news *entryNews) error {
	if news.Entry.Do == "end" {
		p.over = true
		return nil
	}
	if news.Look != nil {
		return p.look(seat, news.Look)
	}
	by := news.Entry.Seat
	switch news.Entry.Do {
	case "chance":
		by = game.Chance
	case "move":
	default:
		return nil
	}
	if p.views[seat] == nil {
		return fmt.Errorf("a move before there was a view")
	}
	if p.ahead {
		return fmt.Errorf("seat %d heard %s as entry %d, and another move was made", by, news.Entry.Move, news.Number)
	}
	next, _, err := p.views[seat].Play(by, news.Entry.Move)
	if err != nil {
		return fmt.Errorf("what seat %d heard as entry %d is not in the rules: %w", seat, news.Number, err)
	}
	p.views[seat] = next
	return nil
}

// look begins from a view.
func (p *copsePlay) look(seat int, look *lookNews) error {
	if look.View == nil { // the game has not begun
		return nil
	}
	set := game.Settings{Seats: players, Options: look.Settings.Options, Version: look.Settings.Version}
	view, err := p.game.Open(set, game.Seat(seat), look.View)
	if err != nil {
		return fmt.Errorf("the view that seat %d was sent: %w", seat, err)
	}
	p.views[seat] = view
	if seat == 0 {
		p.plan = p.plans.from(view, look.View, p.rng)
		p.ahead = p.plan != nil
	}
	return nil
}

func (p *copsePlay) next(after int) (int, []byte, bool, error) {
	if p.over {
		return 0, nil, true, nil
	}
	view := p.views[0]
	if view == nil {
		return 0, nil, false, errors.New("the game has begun, and nobody was shown it")
	}
	if p.ahead {
		if len(p.plan) == 0 {
			return 0, nil, false, errors.New("the game should be over, and goes on")
		}
		return p.plan[0].seat, p.send(after, p.plan[0].move), false, nil
	}
	seat := int(view.ToAct())
	if seat < 0 || seat >= players {
		return 0, nil, false, fmt.Errorf("nobody is to move, and the game goes on")
	}
	if view.Secrets() {
		view = p.views[seat]
	}
	moves := view.Moves()
	if len(moves) == 0 {
		return 0, nil, false, fmt.Errorf("seat %d may do nothing", seat)
	}
	return seat, p.send(after, moves[p.rng.IntN(len(moves))]), false, nil
}

// send is a move as it is sent.
func (p *copsePlay) send(after int, move []byte) []byte {
	p.body = append(p.body[:0], `{"after":`...)
	p.body = strconv.AppendInt(p.body, int64(after), 10)
	p.body = append(append(append(p.body, `,"moves":[`...), move...), "]}"...)
	return p.body
}
