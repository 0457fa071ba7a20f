package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"copse/table"
)

// tryTime is how long a client waits for an answer before it asks another node.
const tryTime = 4 * time.Second

// person is a client that never gives up: what was not answered it sends again, under
// the same key, and to another node.
type person struct {
	*house
	rng    *rand.Rand
	cookie string
	client *http.Client
	node   int // that it asks first
}

func (h *house) newPerson(rng *rand.Rand) *person {
	return &person{
		house: h, rng: rng, node: rng.IntN(len(h.nodes)),
		client: &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: 10 * time.Second}},
	}
}

// answer is what a node has answered, in the end.
type answer struct {
	status int
	key    string // of the problem
	body   []byte
	cookie string
}

func (a *answer) read(p *person, to any) {
	if err := json.Unmarshal(a.body, to); err != nil {
		p.wrongs.add("answer", "%s cannot be read: %v", a.body, err)
	}
}

// elsewhere is another node, or the same once more.
func (p *person) elsewhere(node int) int {
	return (node + 1 + p.rng.IntN(len(p.nodes)-1)) % len(p.nodes)
}

// ask sends a request until it is answered: done, or refused. It is false where the
// test is over.
func (p *person) ask(ctx context.Context, method, path, body, key string) (answer, bool) {
	for ctx.Err() == nil {
		a, err := p.once(ctx, p.node, method, path, body, key)
		if err == nil && a.status < 500 && a.status != http.StatusTooManyRequests {
			return a, true
		}
		p.tell(err, a)
		p.node = p.elsewhere(p.node)
		select {
		case <-time.After(time.Duration(30+p.rng.IntN(200)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return answer{}, false
}

// troubles counts what clients were told while something was out of order.
type troubles struct {
	silent, busy, broken atomic.Int64
	mu                   sync.Mutex
	said                 map[string]int
}

func (p *person) tell(err error, a answer) {
	switch {
	case err != nil:
		p.troubles.silent.Add(1)
	case a.status == http.StatusInternalServerError:
		p.troubles.broken.Add(1)
	default:
		p.troubles.busy.Add(1)
	}
	p.troubles.mu.Lock()
	defer p.troubles.mu.Unlock()
	if p.troubles.said == nil {
		p.troubles.said = map[string]int{}
	}
	if err == nil {
		p.troubles.said[fmt.Sprint(a.status, " ", a.key)]++
	}
}

func (p *person) request(ctx context.Context, node int, method, path, body, key string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, fmt.Sprintf("http://127.0.0.1:%d%s", p.nodes[node].front.port(), path), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if p.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "copse", Value: p.cookie})
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return p.client.Do(req)
}

// once sends a request to one node.
func (p *person) once(ctx context.Context, node int, method, path, body, key string) (a answer, err error) {
	ctx, done := context.WithTimeout(ctx, tryTime)
	defer done()
	res, err := p.request(ctx, node, method, path, body, key)
	if err != nil {
		return a, err
	}
	defer func() { _ = res.Body.Close() }()
	if a.body, err = io.ReadAll(res.Body); err != nil {
		return a, err
	}
	a.status = res.StatusCode
	if a.status >= 300 {
		var problem struct{ Key string }
		if err := json.Unmarshal(a.body, &problem); err != nil {
			return a, fmt.Errorf("%d %s", a.status, a.body)
		}
		a.key = problem.Key
	}
	for _, c := range res.Cookies() {
		a.cookie = c.Value
	}
	return a, nil
}

// must is ask where nothing but done will do.
func (p *person) must(ctx context.Context, method, path, body, key string) (answer, bool) {
	a, ok := p.ask(ctx, method, path, body, key)
	if ok && a.status >= 300 {
		p.wrongs.add("answer", "%s %s %s is answered %d %s", method, path, body, a.status, a.body)
		return a, false
	}
	return a, ok
}

// come makes a guest.
func (p *person) come(ctx context.Context) bool {
	a, ok := p.must(ctx, "POST", "/api/me", `{"name":"Guest"}`, "")
	p.cookie = a.cookie
	return ok
}

// sitting is one game with those who play it, and all that they were told.
type sitting struct {
	in    *house
	id    string
	game  string
	sleep bool // one of them does nothing, and is played for when the clock has run out

	sleeper int // who does so

	high    atomic.Int64 // the highest entry that anybody was told of
	order   atomic.Int64 // of everything that is asked and answered
	mu      sync.Mutex
	asked   []asked
	said    []said
	told    map[int]int64 // by entry, when a stream first told it
	heard   map[int]kind  // by entry, what the streams said it is
	hearers []*hearer
	over    bool
}

// asked is something that was asked at the table, and answered.
type asked struct {
	what   what
	person int
	begin  int64
	end    int64
	after  int    // of a draft
	move   string // of a draft
	seat   int
	number int // that was answered: the last entry, or the last that changed the game
}

// what is what was asked.
type what int

const (
	looked  what = iota // how far the log goes
	listed              // what may be played, and after which entry
	played              // a draft, which was taken
	refused             // a draft, which came too late
)

// kind is what an entry is, to everyone.
type kind struct {
	do   string
	seat int
}

// said is a line of chat that was acknowledged.
type said struct {
	text       string
	number     int
	begin, end int64
}

// record notes what was answered.
func (s *sitting) record(a asked) {
	a.end = s.order.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.what != refused {
		s.high.Store(max(s.high.Load(), int64(a.number)))
	}
	s.asked = append(s.asked, a)
	s.in.moved.Add(1)
}

// player is a person at a seat.
type player struct {
	*person
	*sitting
	n    int
	seat int
	wake chan struct{}
	last *hearer
	away atomic.Bool // its clock has run out, and a bot plays
}

func (p *player) wrong(check, format string, args ...any) {
	p.person.wrongs.add(check, "table %s (%s): "+format, append([]any{p.id, p.game}, args...)...)
}

// hearer is what one client hears of a table, through any number of streams.
type hearer struct {
	last   string // the id of the last event
	number int    // of the last entry; -1 before the first look
	chat   int    // the number of the next line
	ends   bool
	joins  int
	since  time.Time // when the last stream ended; zero while there is one
}

// set sets a table: so many people sit at it, and bots at the other seats.
func (h *house) set(ctx context.Context, game string, people []*person, seats int, sleep, sides bool) (*sitting, []*player, bool) {
	body := fmt.Sprintf(`{"game":%q,"seats":%d,"pace":"live","sides":%t}`, game, seats, sides)
	if sleep {
		body = fmt.Sprintf(`{"game":%q,"seats":%d,"pace":"own","bank":60000,"step":60000,"standIn":"easy"}`, game, seats)
	}
	a, ok := people[0].must(ctx, "POST", "/api/tables", body, "")
	if !ok {
		return nil, nil, false
	}
	var made struct{ Table string }
	a.read(people[0], &made)
	s := h.newSitting(made.Table, game)
	s.sleep = sleep
	for _, p := range people {
		if _, ok := p.must(ctx, "POST", s.path("/sit"), fmt.Sprintf(`{"nonce":"%032x"}`, p.rng.Uint64()), "sit"); !ok {
			return nil, nil, false
		}
	}
	all, ok := s.seated(ctx, people)
	if ok {
		_, ok = people[0].must(ctx, "POST", s.path("/start"), `{"fill":"easy"}`, "start")
	}
	return s, all, ok
}

func (h *house) newSitting(id, game string) *sitting {
	s := &sitting{in: h, id: id, game: game, told: map[int]int64{}, heard: map[int]kind{}}
	h.tables.Lock()
	defer h.tables.Unlock()
	h.sittings = append(h.sittings, s)
	return s
}

// seated are people who sit at the table, as it tells them.
func (s *sitting) seated(ctx context.Context, people []*person) (all []*player, ok bool) {
	for i, p := range people {
		x := &player{person: p, sitting: s, n: i, wake: make(chan struct{}, 1), last: &hearer{number: -1}}
		a, ok := p.must(ctx, "GET", s.path(""), "", "")
		if !ok {
			return nil, false
		}
		var sight struct{ You *int }
		if a.read(p, &sight); sight.You == nil {
			x.wrong("answer", "who has sat down sits nowhere: %s", a.body)
			return nil, false
		}
		x.seat = *sight.You
		if i == 0 {
			s.sleeper = x.seat
		}
		s.hearers = append(s.hearers, x.last)
		all = append(all, x)
	}
	return all, true
}

// other is the game of both sides that follows one which was played to its end: the
// same for everyone, whichever node they ask, and everyone sits elsewhere. nil says
// that none follows, and all are told one result.
func (s *sitting) other(ctx context.Context, players []*player) (next *sitting, seated []*player, ok bool) {
	id, result := "", ""
	for i, p := range players {
		var sight struct {
			Sides struct {
				Games  []struct{ Table string }
				Result []struct{ Total, Rank int }
			}
		}
		at := -1
		for first := true; first || at >= 0 && at == len(sight.Sides.Games)-1 && sight.Sides.Result == nil; first = false {
			if !first {
				select {
				case <-time.After(time.Duration(100+p.rng.IntN(100)) * time.Millisecond):
				case <-ctx.Done():
					return nil, nil, false
				}
			}
			p.node = p.rng.IntN(len(p.nodes))
			a, ok := p.must(ctx, "GET", s.path(""), "", "")
			if !ok {
				return nil, nil, false
			}
			a.read(p.person, &sight)
			at = slices.IndexFunc(sight.Sides.Games, func(g struct{ Table string }) bool { return g.Table == s.id })
		}
		told, sum := "", 0
		if at >= 0 && at < len(sight.Sides.Games)-1 {
			told = sight.Sides.Games[at+1].Table
		}
		for _, place := range sight.Sides.Result {
			sum = 1000*sum + 10*place.Total + place.Rank
		}
		if at < 0 || i > 0 && (told != id || fmt.Sprint(sum) != result) {
			p.wrong("sides", "%d is told of %v, and the first of %q and %s", i, sight.Sides, id, result)
			return nil, nil, false
		}
		id, result = told, fmt.Sprint(sum)
	}
	if id == "" {
		return nil, nil, true
	}
	next = s.in.newSitting(id, s.game)
	var people []*person
	for _, p := range players {
		people = append(people, p.person)
	}
	if seated, ok = next.seated(ctx, people); !ok {
		return nil, nil, false
	}
	for i, p := range seated {
		if p.seat == players[i].seat {
			p.wrong("sides", "%d sits at %d in both games", i, p.seat)
		}
	}
	return next, seated, true
}

func (s *sitting) path(more string) string { return "/api/tables/" + s.id + more }

// play plays a game to its end. It is false where the test ended first.
func (h *house) play(ctx context.Context, players []*player) bool {
	var streams, moving sync.WaitGroup
	following, hangUp := context.WithCancel(ctx)
	defer hangUp()
	for _, p := range players {
		streams.Go(func() { p.follow(following) })
		moving.Go(func() { p.move(ctx) })
	}
	moving.Wait()
	streams.Wait() // each hears the end
	return ctx.Err() == nil
}

// move plays a seat until the game is over.
func (p *player) move(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if p.rng.IntN(3) == 0 && !p.look(ctx) {
			return
		}
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		begin := p.order.Add(1)
		if p.rng.IntN(2) == 0 {
			p.node = p.rng.IntN(len(p.nodes)) // wherever: all know the same
		}
		a, ok := p.ask(ctx, "GET", p.path("/moves"), "", "")
		switch {
		case !ok:
			return
		case a.status == http.StatusConflict: // as if the game had not begun, which was acknowledged
			p.wrong("answer", "what may be played is answered %s", a.body)
			m.After, m.ToAct = -1, []int{-1}
		case a.status >= 300:
			p.wrong("answer", "what may be played is answered %d %s", a.status, a.body)
			return
		default:
			a.read(p.person, &m)
		}
		p.record(asked{what: listed, person: p.n, begin: begin, number: m.After})
		switch {
		case len(m.ToAct) == 0:
			return
		case m.ToAct[0] != p.seat || len(m.Moves) == 0 || p.sleep && p.n == 0 || p.away.Load():
			select {
			case <-p.wake:
			case <-time.After(time.Duration(400+p.rng.IntN(400)) * time.Millisecond):
			case <-ctx.Done():
			}
			continue
		}
		if !p.send(ctx, m.After, m.Moves) {
			return
		}
		if p.rng.IntN(12) == 0 && !p.say(ctx) {
			return
		}
		select {
		case <-time.After(p.pace):
		case <-ctx.Done():
		}
	}
}

// look looks at the table, at any node.
func (p *player) look(ctx context.Context) bool {
	var sight struct{ Look struct{ Number int } }
	high, begin := p.high.Load(), p.order.Add(1)
	p.node = p.rng.IntN(len(p.nodes))
	a, ok := p.must(ctx, "GET", p.path(""), "", "")
	if ok {
		a.read(p.person, &sight)
		p.record(asked{what: looked, person: p.n, begin: begin, number: sight.Look.Number})
		if int64(sight.Look.Number) < high { // the checker would find it in the end
			p.wrong("order", "a look shows entry %d after %d was told", sight.Look.Number, high)
		}
	}
	return ok
}

// send sends a draft. Now and then it is sent twice at the same time, to two nodes:
// the same, as a page does that is not answered, or another, from a second window.
func (p *player) send(ctx context.Context, after int, moves []json.RawMessage) bool {
	pick := func() string {
		var one bytes.Buffer
		_ = json.Compact(&one, moves[p.rng.IntN(len(moves))]) // it was read as JSON
		return one.String()
	}
	one, cuts := pick(), p.cuts.Load() // before either is sent
	if p.rng.IntN(5) > 0 {
		return p.draft(ctx, p.person, p.n, after, one, "a", cuts)
	}
	window, other, key := *p.person, one, "a"
	window.rng, window.node = rand.New(rand.NewPCG(p.rng.Uint64(), 1)), p.elsewhere(p.node)
	if p.rng.IntN(2) == 0 {
		other, key = pick(), "b"
	}
	both := [2]bool{}
	var wg sync.WaitGroup
	wg.Go(func() { both[0] = p.draft(ctx, p.person, p.n, after, one, "a", cuts) })
	wg.Go(func() { both[1] = p.draft(ctx, &window, p.n+100, after, other, key, cuts) })
	wg.Wait()
	return both[0] && both[1]
}

// draft sends a draft from a window, until it is answered. cuts is how often the
// standby had been cut off before it was sent from anywhere.
func (p *player) draft(ctx context.Context, window *person, n, after int, move, key string, cuts int64) bool {
	p.gate.RLock()
	defer p.gate.RUnlock()
	a := asked{person: n, after: after, move: move, seat: p.seat, begin: p.order.Add(1)}
	got, ok := window.ask(ctx, "POST", p.path("/moves"), fmt.Sprintf(`{"after":%d,"moves":[%s]}`, after, move), fmt.Sprint("m", after, key))
	switch {
	case !ok:
		return false
	case got.status == http.StatusOK:
		var done struct{ Number int }
		got.read(window, &done)
		a.what, a.number = played, done.Number
		if p.acked.Add(1); cuts > 0 {
			p.late.Add(1)
		}
	case got.status == http.StatusConflict && strings.HasPrefix(got.key, "table.overtaken"), got.key == "table.over":
		a.what = refused
	case p.sleep && got.status == http.StatusConflict && p.timedOut(ctx):
		return true
	default: // such as that there is no such entry, which was told
		p.wrong("answer", "a draft after %d is answered %d %s", after, got.status, got.body)
		if got.status != http.StatusConflict {
			return false
		}
		a.what = refused
	}
	p.record(a)
	return true
}

// timedOut tells whether the clock of the player has run out, as the log says.
func (p *player) timedOut(ctx context.Context) bool {
	a, ok := p.must(ctx, "GET", p.path(""), "", "")
	var sight struct {
		Look struct {
			People struct{ Seats []struct{ Held string } }
		}
	}
	if ok {
		a.read(p.person, &sight)
	}
	out := ok && p.seat < len(sight.Look.People.Seats) && sight.Look.People.Seats[p.seat].Held != "person"
	if out {
		p.away.Store(true)
	}
	return out
}

// say says something.
func (p *player) say(ctx context.Context) bool {
	line := said{text: fmt.Sprintf("%d says %x", p.n, p.rng.Uint64()), begin: p.order.Add(1)}
	a, ok := p.ask(ctx, "POST", p.path("/chat"), fmt.Sprintf(`{"text":%q}`, line.text), "c"+line.text[len(line.text)-8:])
	if !ok {
		return false
	}
	var got struct {
		Number int
		Text   string
	}
	if a.read(p.person, &got); a.status != http.StatusCreated || got.Text != line.text {
		p.wrong("chat", "%q is answered %d %s", line.text, a.status, a.body)
		return false
	}
	line.number, line.end = got.Number, p.order.Add(1)
	p.lock().Lock()
	defer p.lock().Unlock()
	p.said = append(p.said, line)
	return true
}

func (p *player) lock() *sync.Mutex { return &p.sitting.mu }

// follow hears the game through any number of streams, at any nodes: every entry
// once, in its order, until the end.
func (p *player) follow(ctx context.Context) {
	rng := rand.New(rand.NewPCG(uint64(p.n), uint64(p.seat)))
	node := p.node
	for ctx.Err() == nil {
		if p.hear(ctx, node) {
			return
		}
		if p.last.since.IsZero() {
			p.last.since = time.Now()
		}
		node = (node + 1 + rng.IntN(len(p.nodes))) % len(p.nodes)
		select {
		case <-time.After(time.Duration(20+rng.IntN(200)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// hear hears one stream, until it ends or nothing comes for longer than it said. It
// tells whether there is nothing more to hear.
func (p *player) hear(ctx context.Context, node int) (over bool) {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	dead := time.AfterFunc(tryTime, hangUp)
	defer dead.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/api/stream?table=%s", p.nodes[node].front.port(), p.id), nil)
	if err != nil {
		return false
	}
	req.AddCookie(&http.Cookie{Name: "copse", Value: p.cookie})
	req.Header.Set("Last-Event-ID", p.last.last)
	res, err := p.client.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 {
		if res.StatusCode < 500 && res.StatusCode != http.StatusTooManyRequests {
			p.wrong("stream", "the stream is answered %d", res.StatusCode)
			return true
		}
		return false
	}
	if since := p.last.since; !since.IsZero() {
		away := int64(time.Since(since))
		for longest := p.longest.Load(); away > longest && !p.longest.CompareAndSwap(longest, away); longest = p.longest.Load() {
		}
		p.last.since = time.Time{}
	}
	p.last.joins++
	p.joins.Add(1)
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	var name, id string
	for lines.Scan() {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name, id = rest, ""
		}
		if rest, ok := strings.CutPrefix(line, "id: "); ok {
			id = rest
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		if name == "beat" {
			var beat struct{ Next int }
			if json.Unmarshal([]byte(data), &beat) == nil {
				dead.Reset(time.Duration(beat.Next)*time.Millisecond + 5*time.Second)
			}
			continue
		}
		over, err := p.event(name, id, []byte(data))
		if err != nil {
			p.wrong("stream", "%v", err)
			return true
		}
		if over {
			return true
		}
	}
	return false
}

// event takes in what a stream tells.
func (p *player) event(name, id string, data []byte) (over bool, err error) {
	var e struct {
		Number int
		Entry  struct {
			Do   string
			Seat *int
		}
		Look *struct{ Number int }
		Chat int
	}
	if name == "look" || name == "entry" || name == "chat" {
		if err := json.Unmarshal(data, &e); err != nil {
			return false, fmt.Errorf("%s %s: %w", name, data, err)
		}
	}
	h := p.last
	switch name {
	case "look":
		if h.number >= 0 && e.Look.Number-h.number <= 200 {
			return false, fmt.Errorf("the stream began anew at %d, after %d (%s)", e.Look.Number, h.number, h.last)
		}
		h.number, h.chat = e.Look.Number, e.Chat
	case "entry":
		if e.Number != h.number+1 {
			return false, fmt.Errorf("%d was told after %d", e.Number, h.number)
		}
		h.number = e.Number
		k := kind{e.Entry.Do, -1}
		if e.Entry.Seat != nil {
			k.seat = *e.Entry.Seat
		}
		now := p.order.Add(1)
		p.lock().Lock()
		if _, ok := p.told[e.Number]; !ok {
			p.told[e.Number], p.heard[e.Number] = now, k
		}
		was := p.heard[e.Number]
		p.lock().Unlock()
		if was != k {
			return false, fmt.Errorf("entry %d is %+v to one and %+v to another", e.Number, was, k)
		}
		if e.Entry.Do == table.Left.String() || e.Entry.Do == table.Stood.String() {
			return false, fmt.Errorf("seat %d is away, and was here all the time", k.seat)
		}
		select {
		case p.wake <- struct{}{}:
		default:
		}
		over = e.Entry.Do == table.Ended.String()
		h.ends = over
	case "chat":
		if e.Number < h.chat {
			return false, fmt.Errorf("line %d was told, and %d comes next", e.Number, h.chat)
		}
		if e.Number > h.chat {
			return false, fmt.Errorf("line %d was told in place of %d", e.Number, h.chat)
		}
		h.chat = e.Number + 1
	case "gone":
		return false, errors.New("the table is said to be gone")
	}
	if id != "" {
		h.last = id
	}
	return over, nil
}

// live plays game after game until it is told to stop; the one under way is played
// to its end.
func (h *house) live(ctx context.Context, stop <-chan struct{}, rng *rand.Rand, games []string, people, seats int, sleep bool) {
	var all []*person
	for range people {
		p := h.newPerson(rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64())))
		if !p.come(ctx) {
			return
		}
		all = append(all, p)
	}
	for n := 0; ; n++ {
		select {
		case <-stop:
			if n > 0 {
				return
			}
		case <-ctx.Done():
			return
		default:
		}
		sides := n%2 == 0 && people == seats && !sleep
		s, players, ok := h.set(ctx, games[n%len(games)], all, seats, sleep, sides)
		for s != nil {
			if !ok || !h.play(ctx, players) {
				return
			}
			s.mu.Lock()
			s.over = true
			s.mu.Unlock()
			h.finished.Add(1)
			if !sides {
				break
			}
			if s, players, ok = s.other(ctx, players); s != nil {
				h.followed.Add(1)
			}
		}
		if !ok {
			return
		}
	}
}

var allGames = []string{"bosk", "grandbois", "treesociety"}

func from(games []string, n int) []string {
	return slices.Concat(games[n%len(games):], games[:n%len(games)])
}
