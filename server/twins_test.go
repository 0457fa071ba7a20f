package server_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games"
	"copse/server"
	"copse/server/hall"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

// Non-interference at the edge: two servers hold two worlds that a viewer cannot
// tell apart. The commitment, the people, the times and all that the viewer does
// are the same; the secret, the nonces of the others and every move or outcome that
// is heard without its secret are not. Every byte that the viewer is sent, by
// answers, problems and the stream, must be equal.

// twin is one of the two worlds.
type twin struct {
	*world
	people []*client // seat by seat
	viewer *client
	stream *listener

	mirror *table.Table      // the same table, to try out what would happen
	script []json.RawMessage // what chance does next
}

// twins are two worlds.
type twins struct {
	t      testing.TB
	id     string
	seat   game.Seat // of the viewer
	seats  int
	rng    *rand.Rand
	both   [2]*twin
	leak   leak
	asked  int // bytes compared
	heard  int // of the stream, likewise
	number int // of the last entry that the streams were compared at
}

// leak is what a careless server would send besides.
type leak func(t *twins, w *twin) []byte

var (
	errApart  = errors.New("the worlds can be told apart, rightly")
	errNoTwin = errors.New("nothing sounds the same in the other world")
)

// differ says that the worlds could be told apart before they may be.
type differ struct{ what, one, two string }

func (e *differ) Error() string { return fmt.Sprintf("%s:\n%.600s\n%.600s", e.what, e.one, e.two) }

// secretGames are games with secrets, one with secret draws and reveals among
// them.
func secretGames() []game.Game { return append(games.All(), bot.Of(gametest.Tiny())) }

func newTwins(t testing.TB, name string, seats int, viewer game.Seat, seed uint64, planted leak, said ...string) *twins {
	t.Helper()
	return newTwinsWith(t, name, seats, viewer, seed, planted, func(*twin) setup { return func(*hall.Options, *server.Options) {} }, said...)
}

// newTwinsWith changes what each of the worlds is made of.
func newTwinsWith(t testing.TB, name string, seats int, viewer game.Seat, seed uint64, planted leak, change func(*twin) setup, said ...string) *twins {
	t.Helper()
	tw := &twins{t: t, seat: viewer, seats: seats, rng: rand.New(rand.NewPCG(seed, 11)), leak: planted}
	for i := range tw.both {
		w := &twin{}
		tw.both[i] = w
		db, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
		if err != nil {
			t.Fatal(err)
		}
		w.world = worldOf(t, db, func(h *hall.Options, s *server.Options) {
			h.Games = secretGames()
			s.Beat = time.Hour
			h.Deal = func(string) table.Deal {
				return func(game.Position, int) json.RawMessage {
					next := w.script[0]
					w.script = w.script[1:]
					return next
				}
			}
		}, change(w))
		for n := range seats + 1 { // the last one looks on
			w.people = append(w.people, w.known(n))
		}
		w.viewer = w.people[seats]
		if viewer >= 0 {
			w.viewer = w.people[viewer]
		}
	}
	tw.id = tw.both[0].people[0].table(fmt.Sprintf(`{"game":%q,"seats":%d%s}`, name, seats, strings.Join(said, "")))
	tw.copyTable()
	return tw
}

// known is the same person in both worlds.
func (w *twin) known(n int) *client {
	ctx, id, secret := context.Background(), fmt.Sprintf("person-%d", n), fmt.Sprintf("the_secret_of_person_%d", n)
	p := store.Account{ID: id, Name: fmt.Sprintf("Person %d", n), Salt: []byte(id), Born: dawn}
	pass := store.Pass{Digest: store.DigestOf(secret), Kind: store.Session, Account: id, Born: dawn, Until: dawn.Add(1000 * time.Hour)}
	if err := errors.Join(w.db.AddAccount(ctx, p), w.db.Admit(ctx, pass)); err != nil {
		w.Fatal(err)
	}
	return &client{world: w.world, cookie: secret}
}

// copyTable sets the same table in the second world, with another secret under
// the same commitment.
func (tw *twins) copyTable() {
	ctx, one, two := context.Background(), tw.both[0], tw.both[1]
	l, err := one.db.Table(ctx, tw.id)
	if err != nil {
		tw.t.Fatal(err)
	}
	log, err := one.db.Read(ctx, tw.id, 0)
	if err != nil {
		tw.t.Fatal(err)
	}
	row := l.Row
	row.Private = []byte(`{"secret":"` + hex.EncodeToString(bytes.Repeat([]byte{9}, 32)) + `"}`)
	if _, err := two.db.Append(ctx, store.Append{Table: tw.id, At: log[0].At, Entries: [][]byte{log[0].Body}, Row: &row}); err != nil {
		tw.t.Fatal(err)
	}
	for _, w := range tw.both {
		w.reflect(tw)
		w.stream = w.viewer.listen("mine=" + fmt.Sprint(true) + "&hidden=true&table=" + tw.id)
		w.stream.next("present")
	}
}

// reflect makes the mirror of the table anew.
func (w *twin) reflect(tw *twins) {
	ctx := context.Background()
	entries, err := w.db.Read(ctx, tw.id, 0)
	if err != nil {
		w.Fatal(err)
	}
	l, err := w.db.Table(ctx, tw.id)
	if err != nil {
		w.Fatal(err)
	}
	var kept struct{ Secret string }
	if err := json.Unmarshal(l.Private, &kept); err != nil {
		w.Fatal(err)
	}
	secret, err := hex.DecodeString(kept.Secret)
	if err != nil {
		w.Fatal(err)
	}
	log := [][]byte{}
	for _, e := range entries {
		log = append(log, e.Body)
	}
	if w.mirror, err = table.Open(table.NewShelf(secretGames()...), table.Keep{Secret: table.Secret(secret)}, log); err != nil {
		w.Fatal(err)
	}
}

// person is the person at a seat of the table, in this world.
func (w *twin) person(tw *twins, seat int) table.Person {
	id := fmt.Sprintf("person-%d", seat)
	return table.PersonAt(tw.id, id, []byte(id))
}

// rehearse finds outcomes for both worlds that sound the same, and puts them into
// their scripts. It gives errApart where what would happen tells the worlds apart.
func (tw *twins) rehearse(cmds [2]table.Command) error {
	type draw struct {
		at   game.Position
		move json.RawMessage
	}
	var draws []draw
	one, two := tw.both[0], tw.both[1]
	one.mirror.DealBy(func(p game.Position, _ int) json.RawMessage {
		list := p.Moves()
		m := list[tw.rng.IntN(len(list))]
		draws = append(draws, draw{p, m})
		return m
	})
	missed, k := false, 0
	var second []json.RawMessage
	two.mirror.DealBy(func(p game.Position, _ int) json.RawMessage {
		m := p.Moves()[0]
		if k >= len(draws) {
			missed = true
			return m
		}
		if fit, err := tw.partner(draws[k].at, p, game.Chance, draws[k].move); err == nil {
			m = fit
		} else {
			missed = true
		}
		k++
		second = append(second, m)
		return m
	})
	now := table.At(one.hall.Now())
	entries, err := one.mirror.Decide(cmds[0], now)
	if err != nil {
		return nil // refused: the worlds are asked all the same
	}
	if len(entries) > 0 && entries[len(entries)-1].Do == table.Ended {
		return errApart // the end tells the secret
	}
	others, err := two.mirror.Decide(cmds[1], now)
	if err != nil || missed || len(others) != len(entries) {
		return errNoTwin
	}
	for i := range entries {
		for j, w := range []*twin{one, two} {
			step, err := w.mirror.Apply([][]table.Entry{entries, others}[j][i])
			if err != nil {
				tw.t.Fatal(err)
			}
			if do := step.Entry.Do; step.Heard(game.Watcher).Look != nil && do != table.Started && do != table.Undone {
				return errApart // something is revealed
			}
		}
	}
	one.script, two.script = nil, second
	for _, d := range draws {
		one.script = append(one.script, d.move)
	}
	return nil
}

// partner is a move or an outcome of the second world that sounds to the viewer
// like a move of by in the first.
func (tw *twins) partner(one, two game.Position, by game.Seat, move json.RawMessage) (json.RawMessage, error) {
	want, err := one.Heard(move, by, tw.viewerSeat())
	if err != nil {
		return nil, err
	}
	var fit []json.RawMessage
	for _, m := range two.Moves() {
		if heard, err := two.Heard(m, by, tw.viewerSeat()); err == nil && string(heard) == string(want) {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return nil, errNoTwin
	}
	return fit[tw.rng.IntN(len(fit))], nil
}

func (tw *twins) viewerSeat() game.Seat { return tw.seat }

// give has somebody ask for something in both worlds, and compares what the
// viewer gets.
func (tw *twins) give(seat int, path string, bodies [2]string, cmds [2]table.Command) error {
	err := tw.rehearse(cmds)
	for _, w := range tw.both {
		w.reflect(tw)
	}
	if err != nil {
		return err
	}
	var answers [2]reply
	for i, w := range tw.both {
		w.wait(time.Second)
		answers[i] = w.people[seat].ask("POST", "/api/tables/"+tw.id+path, bodies[i])
	}
	if answers[0].status != answers[1].status {
		return &differ{path, string(answers[0].body), string(answers[1].body)}
	}
	if game.Seat(seat) == tw.seat {
		if err := tw.compare(path, answers[0], answers[1]); err != nil {
			return err
		}
	}
	for _, w := range tw.both {
		w.reflect(tw)
	}
	return tw.ask()
}

func (tw *twins) compare(what string, one, two reply) error {
	one.header.Del("Date")
	two.header.Del("Date")
	a, b := fmt.Sprint(one.status, one.header, string(one.body)), fmt.Sprint(two.status, two.header, string(two.body))
	tw.asked += len(a)
	if a != b {
		return &differ{what, a, b}
	}
	return nil
}

// ask compares all that the viewer can ask for.
func (tw *twins) ask() error {
	at := "/api/tables/" + tw.id
	last := tw.both[0].mirror.Len() - 1
	type question struct{ method, path, body string }
	list := []question{
		{"GET", at, ""}, {"GET", at + "/record", ""}, {"GET", at + "/moves?facts=true", ""}, {"GET", at + "/sheet", ""},
		{"GET", fmt.Sprintf("%s/entries?from=%d", at, max(last-3, 0)), ""}, {"GET", fmt.Sprintf("%s/entries/%d", at, tw.rng.IntN(last+1)), ""},
		{"GET", at + "/export", ""}, {"GET", at + "/chat", ""}, {"GET", "/api/me/tables", ""}, {"GET", "/api/me/played", ""}, {"GET", "/api/tables", ""},
		// What the viewer may not do, or does wrongly.
		{"POST", at + "/moves", draft(last, []byte(`{"do":"dry","mushroom":3}`))},
		{"POST", at + "/moves", draft(0, []byte(`{"do":"nap"}`))},
		{"POST", at + "/moves", draft(0, []byte(`{"do":"shake"}`), []byte(`{"do":"nap"}`))},
		{"POST", at + "/moves", draft(last, []byte(`{"do":"harvest","clan":"fox"}`))},
		{"POST", at + "/moves", draft(last, []byte(`{"do":"place","tile":1,"x":99,"y":99,"turn":0}`))},
		{"POST", at + "/answer", `{"for":"abandon","yes":true}`}, {"POST", at + "/resume", ""}, {"POST", at + "/rematch", ""},
		{"POST", at + "/bots", `{"seat":0,"player":"easy"}`}, {"POST", at + "/undo", fmt.Sprintf(`{"to":%d}`, last+7)},
	}
	if tw.both[0].mirror.Begun() {
		list = append(list, question{"POST", at + "/start", ""})
	}
	for _, q := range list {
		a, b := tw.both[0].viewer.ask(q.method, q.path, q.body), tw.both[1].viewer.ask(q.method, q.path, q.body)
		if err := tw.compare(q.method+" "+q.path+" "+q.body, a, b); err != nil {
			return err
		}
		if q.method == "POST" && a.status < 300 {
			tw.t.Fatalf("%s %s %s was to be refused", q.method, q.path, q.body)
		}
	}
	if err := tw.listen(); err != nil {
		return err
	}
	if tw.leak == nil {
		return nil
	}
	if a, b := tw.leak(tw, tw.both[0]), tw.leak(tw, tw.both[1]); !bytes.Equal(a, b) {
		return &differ{planted, string(a), string(b)}
	}
	return nil
}

const planted = "the leak"

// listen compares what the streams have told since.
func (tw *twins) listen() error {
	last := tw.both[0].mirror.Len() - 1
	if last <= tw.number {
		return nil
	}
	var said [2][]string
	for i, w := range tw.both {
		for e := range w.stream.events {
			if e.name != "beat" {
				said[i] = append(said[i], e.name+" "+e.id+" "+string(e.data))
			}
			var at struct {
				Number int
				Look   struct{ Number int }
			}
			if err := json.Unmarshal(e.data, &at); err != nil {
				tw.t.Fatal(err)
			}
			if e.name == "entry" && at.Number >= last || e.name == "look" && at.Look.Number >= last {
				break
			}
		}
	}
	// News of lists and of entries come by different ways: their order tells
	// nothing.
	for i := range said {
		var entries, lists []string
		for _, line := range said[i] {
			if strings.HasPrefix(line, "mine ") {
				lists = append(lists, line)
			} else {
				entries = append(entries, line)
			}
		}
		said[i] = append(entries, lists...)
	}
	one, two := strings.Join(said[0], "\n"), strings.Join(said[1], "\n")
	tw.heard += len(one)
	tw.number = last
	if one != two {
		return &differ{"the stream", one, two}
	}
	return nil
}

// play plays on until the worlds may be told apart, or for so many steps.
func (tw *twins) play(steps int) error {
	for seat := range tw.seats {
		var bodies [2]string
		var cmds [2]table.Command
		for i, w := range tw.both {
			nonce := table.Nonce{1, byte(seat)}
			if i == 1 && game.Seat(seat) != tw.seat {
				nonce = table.Nonce{2, byte(seat), 7}
			}
			bodies[i] = fmt.Sprintf(`{"nonce":"%s","seat":%d}`, nonce, seat)
			cmds[i] = table.Sit{Person: w.person(tw, seat), Seat: game.Seat(seat), Nonce: nonce}
		}
		if err := tw.give(seat, "/sit", bodies, cmds); err != nil {
			return err
		}
	}
	if err := tw.start(); err != nil {
		return err
	}
	for range steps {
		err := tw.step()
		if err != nil && !errors.Is(err, errNoTwin) {
			return err
		}
	}
	return nil
}

// start begins the game, where both worlds can deal the same to the viewer.
func (tw *twins) start() error {
	for !tw.both[0].mirror.Begun() {
		start := table.Start{Person: tw.both[0].person(tw, 0)}
		if err := tw.give(0, "/start", [2]string{}, [2]table.Command{start, start}); err != nil && !errors.Is(err, errNoTwin) {
			return err
		}
	}
	return nil
}

// step is a move of whoever is to act, or somebody asks to go back.
func (tw *twins) step() error {
	one, two := tw.both[0], tw.both[1]
	anybody := tw.rng.IntN(tw.seats)
	person := one.person(tw, anybody)
	switch tw.rng.IntN(16) {
	case 0:
		cmd := table.TakeBack{Person: person, To: -1}
		return tw.give(anybody, "/undo", [2]string{"{}", "{}"}, [2]table.Command{cmd, cmd})
	case 1, 2:
		cmd, body := table.Answer{Person: person, For: table.Undo, Yes: true}, `{"for":"undo","yes":true}`
		return tw.give(anybody, "/answer", [2]string{body, body}, [2]table.Command{cmd, cmd})
	}
	p, q := truth(one), truth(two)
	seat := p.ToAct()
	list := p.Moves()
	m := list[tw.rng.IntN(len(list))]
	other, err := tw.partner(p, q, seat, m)
	if err != nil {
		return err
	}
	after := one.mirror.Last()
	play := func(w *twin, m json.RawMessage) table.Command {
		return table.Play{Person: w.person(tw, int(seat)), After: after, Moves: []json.RawMessage{m}}
	}
	return tw.give(int(seat), "/moves", [2]string{draft(after, m), draft(after, other)}, [2]table.Command{play(one, m), play(two, other)})
}

// truth is the position as the seat to act sees it, which knows everything that it
// may do.
func truth(w *twin) game.Position {
	p := w.mirror.See(game.Watcher)
	return w.mirror.See(p.ToAct())
}

// eachTwins plays twins of every viewer at some tables, until visit has enough.
func eachTwins(t testing.TB, steps int, planted leak, visit func(name string, tw *twins, err error) bool) {
	for _, name := range []string{"grandbois", "tiny"} {
		for seats := 2; seats <= 3; seats++ {
			for viewer := -1; viewer < seats; viewer++ {
				as := game.Seat(viewer)
				if viewer < 0 {
					as = game.Watcher
				}
				tw := newTwins(t, name, seats, as, uint64(10*seats+viewer+1), planted)
				if !visit(name, tw, tw.play(steps)) {
					return
				}
			}
		}
	}
}

func TestNothingIsSentThatAViewerMayNotKnow(t *testing.T) {
	t.Parallel()
	different, long, asked, heard := 0, 0, 0, 0
	eachTwins(t, 18, nil, func(name string, tw *twins, err error) bool {
		if err != nil && !errors.Is(err, errApart) {
			t.Errorf("%s, %d seats, viewer %v, after %d entries: %v", name, tw.seats, tw.seat, tw.both[0].mirror.Len(), err)
		}
		a, b := tw.both[0].mirror, tw.both[1].mirror
		for seat := range tw.seats {
			if string(a.See(game.Seat(seat)).View()) != string(b.See(game.Seat(seat)).View()) {
				different++
				break
			}
		}
		if a.Len() > 15 {
			long++
		}
		asked, heard = asked+tw.asked, heard+tw.heard
		return true
	})
	t.Logf("%d pairs of worlds were different, %d long; %d bytes of answers and %d of streams were compared", different, long, asked, heard)
	if different < 9 || long < 9 || heard < 10_000 {
		t.Error("this proves little")
	}
}

// TestPlantedLeaksAreCaughtAtTheEdge proves the test above.
func TestPlantedLeaksAreCaughtAtTheEdge(t *testing.T) {
	t.Parallel()
	last := func(w *twin) []byte { log := w.mirror.Log(); return log[len(log)-1] }
	another := func(tw *twins, w *twin) *client { return w.people[(int(tw.seat)+3)%tw.seats] }
	for name, leaking := range map[string]leak{
		"an entry in full": func(_ *twins, w *twin) []byte { return last(w) },
		"the log":          func(_ *twins, w *twin) []byte { return bytes.Join(w.mirror.Log(), nil) },
		"the secret":       func(_ *twins, w *twin) []byte { s := w.mirror.Keep().Secret; return s[:] },
		"a hash": func(_ *twins, w *twin) []byte {
			h := table.Chain(table.Secret{}, w.mirror.Log())
			return h[len(h)-1][:]
		},
		"the view of another": func(tw *twins, w *twin) []byte { return another(tw, w).ask("GET", "/api/tables/"+tw.id, "").body },
		"the record of another": func(tw *twins, w *twin) []byte {
			return another(tw, w).ask("GET", "/api/tables/"+tw.id+"/record", "").body
		},
		"the history of another": func(tw *twins, w *twin) []byte {
			return another(tw, w).ask("GET", "/api/tables/"+tw.id+"/entries", "").body
		},
		"the export": func(_ *twins, w *twin) []byte {
			s := w.mirror.Keep().Secret
			return fmt.Appendf(nil, "%x", table.Chain(s, w.mirror.Log()))
		},
	} {
		caught := false
		eachTwins(t, 6, leaking, func(_ string, _ *twins, err error) bool {
			var d *differ
			caught = errors.As(err, &d) && d.what == planted
			return !caught
		})
		if !caught {
			t.Errorf("%s is not caught", name)
		}
	}
}
