package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/server"
	"copse/server/hall"
)

// TestTwoPeoplePlayWholeGames, each hearing of the other by the stream alone,
// and sending everything twice as if answers were lost. A watcher who comes late
// hears the rest.
func TestTwoPeoplePlayWholeGames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			people := []*client{w.guest("Anna"), w.guest("Ben")}
			id := begun(`{"game":"`+name+`","seats":2,"visible":"open"}`, people...)
			var wg sync.WaitGroup
			last := make([]int, 3)
			for seat, c := range people {
				l := c.listen("mine=true&table=" + id)
				wg.Go(func() { last[seat] = c.follow(id, l, fmt.Sprint(seat)) })
			}
			l := w.nobody().listen("table=" + id)
			wg.Go(func() { last[2] = watch(l) })
			wg.Wait()
			if last[0] != last[1] || last[0] != last[2] || last[0] < 50 {
				t.Errorf("the last entries that they heard of are %v", last)
			}
			done := verify(t, people[0].ask("GET", "/api/tables/"+id+"/export", "").is(t, 200).body)
			if done.Len()-1 != last[0] {
				t.Errorf("the log has %d entries, and the last heard of is %d", done.Len(), last[0])
			}
		})
	}
}

// follow plays a seat from what the stream tells, until the game is over.
func (c *client) follow(id string, l *listener, seat string) (last int) {
	rng := rand.New(rand.NewPCG(1, uint64(len(seat))))
	act := func(toAct []json.RawMessage) {
		if len(toAct) == 0 || string(toAct[0]) != seat {
			return
		}
		m := c.moves(id)
		if len(m.ToAct) == 0 || string(m.ToAct[0]) != seat {
			return // it is known already that somebody moved since
		}
		body, key := draft(m.After, m.Moves[rng.IntN(len(m.Moves))]), fmt.Sprintf("Idempotency-Key: %s-%d", seat, m.After)
		first := c.ask("POST", "/api/tables/"+id+"/moves", body, key)
		again := c.ask("POST", "/api/tables/"+id+"/moves", body, key)
		if first.status != 200 || again.status != 200 || string(first.body) != string(again.body) {
			c.Errorf("a move is answered %d %s and then %d %s", first.status, first.body, again.status, again.body)
		}
	}
	var sight struct {
		Look struct {
			Number int
			ToAct  []json.RawMessage
		}
	}
	if err := json.Unmarshal(l.next("look").data, &sight); err != nil {
		c.Error(err)
	}
	last = sight.Look.Number
	act(sight.Look.ToAct)
	for {
		e, _ := l.entry()
		if e.Number != last+1 {
			c.Errorf("entry %d was told after %d", e.Number, last)
		}
		last = e.Number
		if e.Entry.Do == "end" {
			return last
		}
		act(e.ToAct)
	}
}

func watch(l *listener) (last int) {
	for {
		e, _ := l.entry()
		if e.Entry.Do == "end" {
			return e.Number
		}
	}
}

// TestComingBack: who comes back with the last id hears what was missed and
// nothing else; who cannot go on is told to start over.
func TestComingBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	rng := rand.New(rand.NewPCG(3, 4))
	one, two := begun(`{"game":"bosk","seats":2}`, people...), begun(`{"game":"grandbois","seats":2}`, people...)
	query := "table=" + one + "&table=" + two
	l := people[0].listen(query)
	var at [2]int
	for range 2 {
		e := l.next("look")
		var s struct {
			Table string
			Look  struct{ Number int }
			Again bool
		}
		if err := json.Unmarshal(e.data, &s); err != nil || s.Again {
			t.Fatalf("at first it is told %s", e.data)
		}
		at[strings.Index(one+" "+two, s.Table)/len(one)] = s.Look.Number
	}
	move(rng, one, people...)
	at[0]++
	id := l.until(at[0], at[0])
	l.close()
	for range 3 {
		move(rng, one, people...)
	}
	people[1].ask("POST", "/api/tables/"+one+"/chat", `{"phrase":"hello"}`).is(t, 201)
	move(rng, two, people...)
	move(rng, two, people...)

	l = people[0].listen(query, "Last-Event-ID: "+id)
	heard := map[string][]int{}
	for e := range l.events {
		var s heardEntry
		if err := json.Unmarshal(e.data, &s); err != nil {
			t.Fatal(err)
		}
		if e.name == "beat" {
			break
		}
		if e.name == "look" {
			t.Errorf("it is shown anew: %s", e.data)
		}
		if e.name == "entry" || e.name == "chat" {
			heard[s.Table+e.name] = append(heard[s.Table+e.name], s.Number)
			id = e.id
		}
	}
	var s struct{ Look struct{ Number int } }
	people[0].ask("GET", "/api/tables/"+two, "").is(t, 200).read(t, &s)
	twoHeard := []int{}
	for n := at[1] + 1; n <= s.Look.Number; n++ {
		twoHeard = append(twoHeard, n)
	}
	if fmt.Sprint(heard[one+"entry"]) != fmt.Sprint([]int{at[0] + 1, at[0] + 2, at[0] + 3}) || fmt.Sprint(heard[one+"chat"]) != "[0]" || fmt.Sprint(heard[two+"entry"]) != fmt.Sprint(twoHeard) {
		t.Errorf("missed was %v", heard)
	}
	l.close()

	for last, again := range map[string]bool{
		id:                                false, // nothing is missed
		"garbage":                         false,
		one + ".99999.0.0":                true, // of a world that is no more
		one + ".0.1.0":                    true, // another seat
		one + ".0.w.0":                    true,
		one + ".-1.0.0," + two + ".x.y.z": false,
		strings.Repeat("x", 20_000):       false,
	} {
		l := people[0].listen("table="+one, "Last-Event-ID: "+last)
		first := <-l.events
		switch {
		case last == id:
			if first.name != "beat" && first.name != "present" && first.name != "who" {
				t.Errorf("with %s it is told %s %s", last, first.name, first.data)
			}
		case first.name != "look" || strings.Contains(string(first.data), `"again":true`) != again:
			t.Errorf("with %.40s it is told %s %.60s", last, first.name, first.data)
		}
		l.close()
	}
}

// TestASlowReaderGoesOn: whoever took nothing while much happened hears all of it
// on the same stream, each entry once and in order, or is shown the table anew; and
// nothing is missed after that. Nobody is cut off for what others do.
func TestASlowReaderGoesOn(t *testing.T) {
	t.Parallel()
	for rounds, anew := range map[int]bool{20: false, 120: true} { // two entries each
		w := newWorld(t)
		people := []*client{w.guest("Anna"), w.guest("Ben")}
		id := begun(`{"game":"bosk","seats":2}`, people...)
		from, to := io.Pipe()
		slow := &stuck{ResponseRecorder: httptest.NewRecorder(), out: to, begun: make(chan struct{}), release: make(chan struct{})}
		ctx, hangUp := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() { _ = to.Close() }()
			w.serve.ServeHTTP(slow, httptest.NewRequest(http.MethodGet, "/api/stream?table="+id, nil).WithContext(ctx))
		}()
		<-slow.begun
		var s struct{ Look struct{ Number int } }
		people[0].ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
		first := s.Look.Number
		for range rounds {
			people[1].ask("POST", "/api/tables/"+id+"/leave", "").is(t, 200)
			people[1].ask("POST", "/api/tables/"+id+"/return", "").is(t, 200)
		}
		people[0].ask("POST", "/api/tables/"+id+"/chat", `{"text":"Are you there?"}`).is(t, 201)
		people[0].ask("PATCH", "/api/me", `{"name":"Annika"}`).is(t, 200)
		people[0].ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
		close(slow.release)
		var next, looks, lines int
		last := "Anna"
		in, event := bufio.NewScanner(from), ""
		in.Buffer(nil, 1<<20)
		heard := func(number int) (name string) { // up to an entry, and to another name
			t.Helper()
			for in.Scan() {
				if rest, ok := strings.CutPrefix(in.Text(), "event: "); ok {
					event = rest
				}
				data, ok := strings.CutPrefix(in.Text(), "data: ")
				if !ok {
					continue
				}
				var e struct {
					Number int
					Look   struct{ Number int }
					Who    []*hall.Who
				}
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					t.Fatal(err)
				}
				switch event {
				case "look":
					looks++
					next = e.Look.Number + 1
				case "chat":
					lines++
				case "entry":
					if e.Number != next {
						t.Fatalf("entry %d was told in place of %d", e.Number, next)
					}
					next++
				}
				if len(e.Who) > 0 {
					name = e.Who[0].Name
				}
				if next > number && name != "" && name != last {
					last = name
					return name
				}
			}
			t.Fatalf("it ends after entry %d of %d", next-1, number)
			return ""
		}
		heard(s.Look.Number)
		people[1].ask("POST", "/api/tables/"+id+"/leave", "").is(t, 200)
		people[0].ask("PATCH", "/api/me", `{"name":"Anja"}`).is(t, 200)
		if name := heard(s.Look.Number + 1); name != "Anja" {
			t.Errorf("after that it hears of %s", name)
		}
		if anew && looks != 2 || !anew && (looks != 1 || lines != 1) {
			t.Errorf("after %d entries it was shown the table %d times, and %d lines", s.Look.Number-first, looks, lines)
		}
		hangUp()
		_ = from.Close()
		<-ended
	}
}

// stuck takes nothing until it is told to.
type stuck struct {
	*httptest.ResponseRecorder
	out     io.Writer
	once    sync.Once
	begun   chan struct{}
	release chan struct{}
}

func (s *stuck) Write(raw []byte) (int, error) {
	s.once.Do(func() { close(s.begun) })
	<-s.release
	return s.out.Write(raw)
}

// TestAClientThatLies gets clear answers, and nothing happens.
func TestAClientThatLies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	at := "/api/tables/" + id
	seat := people[0].toAct(id)
	me, other := people[seat], people[1-seat]
	m := me.moves(id)
	good := m.Moves[0]
	for _, c := range []struct {
		what   string
		by     *client
		path   string
		body   string
		status int
		key    string
	}{
		{"the other's turn", other, at + "/moves", draft(m.After, good), 409, "bosk.turn"},
		{"a number from the future", me, at + "/moves", draft(m.After+1000, good), 409, "table.ahead"},
		{"a number from the past", me, at + "/moves", draft(0, good), 409, "table.overtaken"},
		{"a negative number", me, at + "/moves", draft(-5, good), 400, "json.range"},
		{"a large number", me, at + "/moves", `{"after":99999999999,"moves":[]}`, 400, "json.range"},
		{"no moves", me, at + "/moves", `{"after":1,"moves":[]}`, 400, "table.draft.empty"},
		{"no list", me, at + "/moves", `{"after":1,"moves":{}}`, 400, "json.list"},
		{"no number", me, at + "/moves", `{"moves":[]}`, 400, "json.missing"},
		{"a field too many", me, at + "/moves", `{"after":1,"moves":[],"seat":0}`, 400, "json.unknown"},
		{"a field twice", me, at + "/moves", `{"after":1,"after":2,"moves":[]}`, 400, "json.twice"},
		{"no JSON", me, at + "/moves", `{`, 400, "json.object"},
		{"nothing", me, at + "/moves", ``, 400, "json.missing"},
		{"bytes", me, at + "/moves", "\x00\xff", 400, "json.object"},
		{"a name that is not UTF-8", w.nobody(), "/api/me", "{\"name\":\"Zo\xff\"}", 400, "json.object"},
		{"half a character", w.nobody(), "/api/me", `{"name":"\ud800"}`, 400, "server.name"},
		{"a line that is not UTF-8", me, at + "/chat", "{\"text\":\"\xc3( \"}", 400, "json.object"},
		{"a move that is none", me, at + "/moves", draft(m.After, []byte(`{"do":"fly"}`)), 400, "move.do"},
		{"a move that is a number", me, at + "/moves", draft(m.After, []byte(`7`)), 400, "json.object"},
		{"one good and one bad", me, at + "/moves", draft(m.After, good, []byte(`{"do":"fly"}`)), 400, "move.do"},
		{"a large body", me, at + "/moves", `{"after":1,"moves":["` + strings.Repeat("x", 70_000) + `"]}`, 413, "server.large"},
		{"many moves", me, at + "/moves", draft(m.After, slicesRepeat(good, 300)...), 400, "table.draft.long"},
		{"a second start", me, at + "/start", ``, 409, "table.begun"},
		{"sitting twice", me, at + "/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, 409, "table.seated"},
		{"no nonce", w.guest("Cleo"), at + "/sit", `{"nonce":"xyz"}`, 400, "table.nonce"},
		{"a zero nonce", w.guest("Cleo"), at + "/sit", `{"nonce":"00000000000000000000000000000000"}`, 400, "table.nonce"},
		{"a stranger", w.guest("Cleo"), at + "/moves", draft(m.After, good), 403, "table.stranger"},
		{"a stranger who talks", w.guest("Cleo"), at + "/chat", `{"text":"hello"}`, 403, "table.stranger"},
		{"nobody", w.nobody(), at + "/moves", draft(m.After, good), 401, "server.who"},
		{"a token that is none", &client{world: w, token: "copse_x"}, at + "/moves", draft(m.After, good), 401, "server.token"},
		{"no such table", me, "/api/tables/nowhere/moves", draft(m.After, good), 404, "server.none"},
		{"no such name", me, "/api/tables/no%20name/moves", draft(m.After, good), 404, "server.none"},
		{"nothing to agree to", me, at + "/answer", `{"for":"undo","yes":true}`, 409, "table.ask.none"},
		{"nothing that can be asked", me, at + "/answer", `{"for":"money","yes":true}`, 400, "table.wish"},
		{"an undo of nothing", me, at + "/undo", `{"to":-1}`, 400, "json.range"},
		{"an undo to nowhere", me, at + "/undo", `{"to":1}`, 409, "table.undo.to"},
		{"a bot that is none", me, at + "/bots", `{"seat":1,"player":"oracle"}`, 400, "bot.player"},
		{"a bot without bounds", me, at + "/bots", `{"seat":1,"player":"flat:999999"}`, 400, "bot.player"},
		{"a level that is changed for a trial", me, at + "/bots", `{"seat":1,"player":"level:9/budget=999999"}`, 400, "bot.player"},
		{"a seat that is none", me, at + "/bots", `{"seat":7,"player":"easy"}`, 400, "json.range"},
		{"an empty line", me, at + "/chat", `{"text":" \u200b "}`, 400, "table.chat.empty"},
		{"a long line", me, at + "/chat", `{"text":"` + strings.Repeat("x", 300) + `"}`, 400, "table.chat.long"},
		{"a phrase that is none", me, at + "/chat", `{"phrase":"shout"}`, 400, "table.chat.phrase"},
		{"nothing to say", me, at + "/chat", `{}`, 400, "server.say"},
		{"nothing in words", me, at + "/chat", `{"text":" "}`, 400, "table.chat.empty"},
		{"no text", me, at + "/chat", `{"text":null}`, 400, "server.say"},
		{"two things to say", me, at + "/chat", `{"phrase":"hello","text":"hello"}`, 400, "server.say"},
		{"a phrase and no text", me, at + "/chat", `{"phrase":"hello","text":null}`, 400, "server.say"},
		{"a long line, but for its spaces", me, at + "/chat", `{"text":"x` + strings.Repeat(" ", 280) + `"}`, 400, "table.chat.long"},
		{"a game that is none", me, "/api/tables", `{"game":"chess","seats":2}`, 400, "table.game"},
		{"a stand-in that is none", me, "/api/tables", `{"game":"bosk","seats":2,"standIn":"oracle"}`, 400, "bot.player"},
		{"too many seats", me, "/api/tables", `{"game":"bosk","seats":9}`, 400, "game.seats"},
		{"a name without letters", w.nobody(), "/api/me", `{"name":"\u200b"}`, 400, "server.name"},
		{"a long name", w.nobody(), "/api/me", `{"name":"` + strings.Repeat("x", 25) + `"}`, 400, "server.name"},
		{"a long name, but for its spaces", w.nobody(), "/api/me", `{"name":"x` + strings.Repeat(" ", 24) + `"}`, 400, "server.name"},
		{"a second name", me, "/api/me", `{"name":"x"}`, 409, "server.signed-in"},
		{"a code that is none", w.nobody(), "/api/continue", `{"code":"ABCDEFGHJK"}`, 409, "server.code"},
		{"a rematch too early", me, at + "/rematch", ``, 409, "table.rematch"},
		{"no address", me, "/api/tables/" + id + "/castle", ``, 404, "server.path"},
	} {
		t.Run(c.what, func(t *testing.T) { c.by.ask("POST", c.path, c.body).refuses(t, c.status, c.key) })
	}
	for path, want := range map[string]struct {
		status int
		key    string
	}{
		at + "/entries/9999":                            {400, "server.entry"},
		at + "/entries/x":                               {404, "server.none"},
		at + "/entries/+1":                              {404, "server.none"},
		at + "/entries/01":                              {404, "server.none"},
		at + "/../" + id:                                {404, "server.path"},
		"/api//tables":                                  {404, "server.path"},
		"/api/tables/%2e%2e/me":                         {404, "server.path"},
		"/api":                                          {404, "server.path"},
		at + "/entries?from=-1":                         {400, "server.query"},
		at + "/entries?from=9999":                       {400, "server.entry"},
		at + "/entries?from=":                           {400, "server.query"},
		at + "/entries?most=0":                          {400, "server.query"},
		at + "/chat?from=-1":                            {400, "server.query"},
		at + "/moves?facts=":                            {400, "server.query"},
		"/api/tables?most=0":                            {400, "server.query"},
		"/api/tables?before=-1":                         {400, "server.query"},
		"/api/tables?before=2147483648":                 {400, "server.query"},
		"/api/me/played?most=-3":                        {400, "server.query"},
		at + "/entries?from=x":                          {400, "server.query"},
		at + "/moves?facts=1":                           {400, "server.query"},
		at + "/export":                                  {409, "table.export"},
		"/api/stream?mine=perhaps":                      {400, "server.query"},
		"/api/stream?" + manyTables(65):                 {400, "server.watched"},
		"/api/stream?" + strings.Repeat("table=x&", 65): {400, "server.watched"}, // however often the same
		"/api/tables/x/export":                          {404, "server.none"},
		"/api/nothing":                                  {404, "server.path"},
		"/api/tables?before=a":                          {400, "server.query"},
	} {
		me.ask("GET", path, "").refuses(t, want.status, want.key)
	}
	me.ask("PUT", at, "").refuses(t, 405, "server.method")
	key := "Idempotency-Key: k"
	me.ask("POST", at+"/moves", draft(m.After, good), "Idempotency-Key: "+strings.Repeat("k", 65)).refuses(t, 400, "server.key.form")
	me.ask("POST", at+"/moves", draft(m.After, good), key).is(t, 200)
	me.ask("POST", at+"/moves", draft(m.After, m.Moves[1]), key).refuses(t, 422, "server.key")
	other.ask("POST", at+"/moves", draft(m.After, good), key).refuses(t, 409, "table.overtaken.by")

	var s struct{ Look struct{ Number int } }
	me.ask("GET", at, "").is(t, 200).read(t, &s)
	if s.Look.Number != m.After+1 {
		t.Errorf("after all this the last entry is %d, not %d", s.Look.Number, m.After+1)
	}
}

// TestAKeyIsForOneRequest: a key that was used for a move is refused for every other
// one, though the other has seen more of the game, also after a restart; and nothing
// is done.
func TestAKeyIsForOneRequest(t *testing.T) {
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	at := "/api/tables/" + id + "/moves"
	rng := rand.New(rand.NewPCG(5, 6))
	used := make([][]string, 2) // by each of them
	for turn := range 24 {
		if turn == 16 {
			w.start()
		}
		seat := people[0].toAct(id)
		c, m := people[seat], people[seat].moves(id)
		body := draft(m.After, m.Moves[rng.IntN(len(m.Moves))])
		for _, key := range used[seat] {
			c.ask("POST", at, body, key).refuses(t, 422, "server.key")
		}
		key := fmt.Sprintf("Idempotency-Key: %d", turn)
		var done doneReply
		if c.ask("POST", at, body, key).is(t, 200).read(t, &done); done.Number != m.After+1 {
			t.Fatalf("the move is entry %d after %d", done.Number, m.After)
		}
		used[seat] = append(used[seat], key)
	}
}

func slicesRepeat(m json.RawMessage, n int) (list []json.RawMessage) {
	for range n {
		list = append(list, m)
	}
	return list
}

func manyTables(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("table=t%d", i))
	}
	return strings.Join(list, "&")
}

// TestOtherSitesMayDoNothing here, whatever browser they have at hand.
func TestOtherSitesMayDoNothing(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	for _, header := range []string{"Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"} {
		anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`, header).refuses(t, 403, "server.origin")
		anna.ask("DELETE", "/api/me", ``, header).refuses(t, 403, "server.origin")
	}
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`, "Sec-Fetch-Site: same-origin").is(t, 201)
}

// TestLookingOn: views, records, moves, sheets, history and replay of a game with
// secrets.
func TestLookingOn(t *testing.T) {
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"grandbois","seats":2}`, people...)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 8 {
		move(rng, id, people...)
	}
	at := "/api/tables/" + id
	var s struct {
		You  *game.Seat
		Look struct{ Number int }
	}
	people[1].ask("GET", at, "").is(t, 200).read(t, &s)
	if s.You == nil || *s.You != 1 {
		t.Errorf("Ben is told that he sits at %v", s.You)
	}
	var all struct{ Entries []heardEntry }
	people[1].ask("GET", at+"/entries?most=1000", "").is(t, 200).read(t, &all)
	for n, e := range all.Entries {
		if e.Number != n || e.Table != id {
			t.Fatalf("entry %d is told as %d of %s", n, e.Number, e.Table)
		}
	}
	if len(all.Entries) != s.Look.Number+1 {
		t.Errorf("there are %d entries, and the last is %d", len(all.Entries), s.Look.Number)
	}
	var some struct{ Entries []heardEntry }
	people[1].ask("GET", at+"/entries?from=4&most=2", "").is(t, 200).read(t, &some)
	if len(some.Entries) != 2 || some.Entries[0].Number != 4 {
		t.Errorf("of two entries %v came", some.Entries)
	}
	var then struct{ Number int }
	people[1].ask("GET", at+"/entries/5", "").is(t, 200).read(t, &then)
	if then.Number != 5 {
		t.Errorf("as it was after 5 it is after %d", then.Number)
	}
	var rec struct {
		Seat int
		View json.RawMessage
		Then []json.RawMessage
	}
	people[1].ask("GET", at+"/record", "").is(t, 200).read(t, &rec)
	if rec.Seat != 1 || len(rec.Then) == 0 || len(rec.View) == 0 {
		t.Errorf("the record is of seat %d, with %d moves", rec.Seat, len(rec.Then))
	}
	var m moves
	people[0].ask("GET", at+"/moves?facts=true", "").is(t, 200).read(t, &m)
	if len(m.Facts) != len(m.Moves) || len(m.Moves) == 0 {
		t.Errorf("there are %d facts to %d moves", len(m.Facts), len(m.Moves))
	}
	var sheet struct {
		Lines    []json.RawMessage
		Standing struct{ Seats []json.RawMessage }
	}
	w.nobody().ask("GET", at+"/sheet", "").is(t, 200).read(t, &sheet)
	if len(sheet.Standing.Seats) != 2 {
		t.Errorf("the sheet is %v", sheet)
	}
	for _, c := range []*client{people[0], w.nobody()} {
		c.ask("HEAD", at, "").is(t, http.StatusOK)
	}
}

// TestACutWhileCatchingUpLosesNoLine: each event says how far the client is with
// it, not where it will be.
func TestACutWhileCatchingUpLosesNoLine(t *testing.T) {
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	l := people[0].listen("table=" + id)
	was := l.next("look").id
	l.close()
	rng := seeded(2)
	for n := range 5 {
		people[n%2].ask("POST", "/api/tables/"+id+"/chat", `{"phrase":"hello"}`).is(t, 201)
		move(rng, id, people...)
	}
	// It is cut off after every event, and comes back with the last id it had.
	heard := map[string]int{}
	for n := range 10 {
		l := people[0].listen("table="+id, "Last-Event-ID: "+was)
		e := <-l.events
		l.close()
		if e.name != "entry" && e.name != "chat" {
			t.Fatalf("event %d is %s %s", n, e.name, e.data)
		}
		heard[e.name]++
		was = e.id
	}
	if heard["entry"] != 5 || heard["chat"] != 5 {
		t.Errorf("it hears %v", heard)
	}
}

// TestAStreamEndsWithItsPass: who signs out, is deleted or has a token that is
// good no more hears nothing further.
func TestAStreamEndsWithItsPass(t *testing.T) {
	w := newWorld(t, func(_ *hall.Options, o *server.Options) { o.Beat = time.Millisecond })
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	other := w.nobody().listen("table=" + id)
	for what, end := range map[string]func(*client){
		"signed out": func(c *client) {
			c.ask("DELETE", "/api/me/session", "").is(t, 204)
		},
		"signed out everywhere": func(c *client) {
			c.ask("DELETE", "/api/me/sessions", "").is(t, 204)
		},
		"deleted": func(c *client) {
			c.ask("DELETE", "/api/me", "").is(t, 204)
		},
	} {
		c := w.guest("Ben")
		l := c.listen("mine=true&table=" + id)
		l.next("beat")
		end(c)
		for range l.events { // until it ends
		}
		select {
		case <-other.ended:
			t.Fatalf("somebody was %s, and another's stream ends", what)
		default:
		}
	}
	var made struct{ Program, Token string }
	anna.ask("POST", "/api/me/programs", `{"name":"Pruner"}`).is(t, 201).read(t, &made)
	l := (&client{world: w, token: made.Token}).listen("table=" + id)
	l.next("beat")
	anna.ask("DELETE", "/api/me/programs/"+made.Program, "").is(t, 204)
	for range l.events {
	}
}

// TestQuickBeatsInOnesTurn: whoever is to act hears a sign of life every four seconds
// and is told so at once, others every fifteen.
func TestQuickBeatsInOnesTurn(t *testing.T) {
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	watcher := w.nobody().listen("table=" + id)
	var all []*listener
	for _, c := range people {
		all = append(all, c.listen("table="+id))
	}
	beats := func(l *listener, next int) {
		t.Helper()
		var beat struct{ Now, Next int }
		if e := l.next("beat"); json.Unmarshal(e.data, &beat) != nil || beat.Next != next || beat.Now == 0 {
			t.Errorf("a beat is %s, the next in %d ms", e.data, next)
		}
	}
	acts := people[0].toAct(id)
	beats(watcher, 15_000)
	beats(all[acts], 4_000)
	beats(all[1-acts], 15_000)
	before := people[0].moves(id).After
	for rng := seeded(3); people[0].toAct(id) == acts; {
		move(rng, id, people...)
	}
	after := people[0].moves(id).After
	for _, l := range all {
		l.until(before+1, after) // a beat before that is one that was due, where the moves took long
	}
	beats(all[acts], 15_000)
	beats(all[1-acts], 4_000)

	// Who comes back in their turn, or is shown the table anew, is told the same.
	last := "Last-Event-ID: " + id + ".0." + fmt.Sprint(1-acts) + ".0"
	for _, header := range [][]string{{last}, nil} {
		l := people[1-acts].listen("table="+id, header...)
		beats(l, 4_000)
		l.close()
	}
}

// TestSignsOfLifeGoOn: where nothing happens one comes after the other.
func TestSignsOfLifeGoOn(t *testing.T) {
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Beat = 5 * time.Millisecond })
	l := w.guest("Anna").listen("mine=true")
	for range 5 {
		l.next("beat")
	}
	l.close()
}

// TestHeadOfAStream: there is nothing to wait for.
func TestHeadOfAStream(t *testing.T) {
	r := newWorld(t).nobody().ask("HEAD", "/api/stream", "").is(t, 200)
	if r.header.Get("Content-Type") != "text/event-stream; charset=utf-8" || len(r.body) > 0 {
		t.Errorf("it is answered %v %s", r.header, r.body)
	}
}

// TestWhoSitsDownIsPresent: who was connected before sits there for everyone, and
// who gets up looks on.
func TestWhoSitsDownIsPresent(t *testing.T) {
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := anna.table(`{"game":"bosk","seats":2}`)
	l, _ := anna.listen("table="+id), ben.listen("table="+id)
	present := func(want string) {
		t.Helper()
		for e := range l.events {
			if e.name == "present" && string(e.data) == `{"table":"`+id+`",`+want+`}` {
				return
			}
		}
	}
	present(`"seats":[],"watchers":2`)
	ben.sit(id)
	present(`"seats":[0],"watchers":1`)
	anna.sit(id)
	present(`"seats":[0,1],"watchers":0`)
	ben.ask("POST", "/api/tables/"+id+"/leave", "").is(t, 200)
	present(`"seats":[1],"watchers":1`)
}

// TestTakingOverABotsSeat: who looked on sees the game from its seat at once, in
// every window. A game with secrets allows it only where the table says so, in
// lists too.
func TestTakingOverABotsSeat(t *testing.T) {
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	closed := anna.table(`{"game":"grandbois","seats":3,"visible":"open"}`)
	anna.sit(closed)
	anna.ask("POST", "/api/tables/"+closed+"/start", `{"fill":"greedy"}`).is(t, 200)
	ben.ask("POST", "/api/tables/"+closed+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f","seat":2}`).refuses(t, 409, "table.take-over")
	id := anna.table(`{"game":"grandbois","seats":3,"visible":"open","takeOver":true}`)
	var listed struct {
		Tables []struct {
			Table    string
			Settings struct{ TakeOver bool }
		}
	}
	ben.ask("GET", "/api/tables", "").is(t, 200).read(t, &listed)
	for _, l := range listed.Tables {
		if l.Settings.TakeOver != (l.Table == id) {
			t.Errorf("of table %s the list says that seats may be taken: %v", l.Table, l.Settings.TakeOver)
		}
	}
	if len(listed.Tables) != 2 {
		t.Errorf("there are %d tables in the list", len(listed.Tables))
	}
	anna.sit(id)
	anna.ask("POST", "/api/tables/"+id+"/start", `{"fill":"greedy"}`).is(t, 200)
	l := ben.listen("table=" + id)
	l.next("look")
	ben.ask("POST", "/api/tables/"+id+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f","seat":2}`).is(t, 200)
	var s struct {
		Again bool
		You   *int
		Who   []*struct{ Name string }
	}
	if err := json.Unmarshal(l.next("look").data, &s); err != nil || !s.Again || s.You == nil || *s.You != 2 || s.Who[2].Name != "Ben" {
		t.Errorf("it is told %+v, %v", s, err)
	}
}

// TestAPrivateTableClosesItsDoor when the game begins: whoever looks on is told what
// came before, as far as they were quick enough, and then that it is closed.
func TestAPrivateTableClosesItsDoor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := people[0].table(`{"game":"bosk","seats":2,"visible":"private"}`)
	l := w.nobody().listen("table=" + id)
	l.next("look")
	for _, c := range people {
		c.sit(id)
	}
	people[0].ask("POST", "/api/tables/"+id+"/start", "").is(t, 200)
	for e, last := <-l.events, 0; e.name != "gone"; e = <-l.events {
		switch {
		case e.data == nil:
			t.Fatal("the stream has ended")
		case e.name == "entry":
			var told heardEntry
			if err := json.Unmarshal(e.data, &told); err != nil || told.Number != last+1 || told.Number > 2 {
				t.Fatalf("after entry %d it is told %s, %v", last, e.data, err)
			}
			last = told.Number
		}
	}
	none := w.nobody().listen("table=" + id)
	if e := <-none.events; e.name != "gone" {
		t.Errorf("whoever comes later is told %s %s", e.name, e.data)
	}
	w.nobody().ask("GET", "/api/tables/"+id, "").refuses(t, 404, "server.none")
	there, nowhere := w.nobody().ask("GET", "/api/tables/"+id, ""), w.nobody().ask("GET", "/api/tables/nowhere", "")
	if string(there.body) != string(nowhere.body) {
		t.Errorf("a table that may not be seen is answered by %s, one that is not by %s", there.body, nowhere.body)
	}
}

// TestSendingSomebodyAwayRenewsTheLink, which those at the table know: who was sent
// away cannot come back as another guest, and who sat before is answered as then.
func TestSendingSomebodyAwayRenewsTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	id := anna.table(`{"game":"bosk","seats":3}`)
	at := "/api/tables/" + id
	invite := func(c *client) string {
		t.Helper()
		var s struct{ Invite string }
		c.ask("GET", at, "").is(t, 200).read(t, &s)
		return s.Invite
	}
	sit := func(c *client, brought string) reply {
		return c.ask("POST", at+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f","invite":`+quote(brought)+`}`, "Idempotency-Key: sit")
	}
	anna.sit(id)
	first := sit(cleo, "").is(t, 200)
	ben.sit(id)
	if got := invite(anna); got != "" {
		t.Errorf("the link says %q before anybody was sent away", got)
	}
	anna.ask("POST", at+"/kick", `{"seat":2}`).is(t, 200)
	again, stranger := w.guest("Benjamin"), w.nobody()
	if invite(again) != "" || invite(stranger) != "" || invite(ben) != "" {
		t.Error("the new link is told to who does not sit there")
	}
	sit(again, "").refuses(t, 403, "table.invite")
	sit(again, "000000000000").refuses(t, 403, "table.invite")
	sit(ben, invite(anna)).refuses(t, 403, "table.barred")
	again.ask("POST", at+"/chat", `{"text":"hello"}`).refuses(t, 403, "table.stranger")
	if second := sit(cleo, "").is(t, 200); string(second.body) != string(first.body) {
		t.Errorf("who sat before is answered %s and then %s", first.body, second.body)
	}
	if invite(anna) != invite(cleo) {
		t.Error("those at the table know different links")
	}
	dora := w.guest("Dora")
	sit(dora, invite(cleo)).is(t, 200)
}

// TestStopping ends the streams and lets the server go.
func TestStopping(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(ctx, on, w.serve) }()
	w.url = "http://" + on.Addr().String()
	l := anna.listen("mine=true")
	l.next("beat")
	anna.ask("GET", "/readyz", "").is(t, 200)
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	for range l.events {
	}
	r := httptest.NewRecorder()
	w.serve.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if r.Code != 503 {
		t.Errorf("while it stops it is ready: %d", r.Code)
	}
	r = httptest.NewRecorder()
	w.serve.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/api/stream", nil))
	if r.Code != 503 {
		t.Errorf("while it stops a stream is answered %d", r.Code)
	}
}
