package cluster

import (
	"encoding/json"
	"math"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"copse/game"
	"copse/table"
)

// small is a game of two moves by people and one by a bot, as everyone was told it.
func small() (*sitting, logOf) {
	move := func(seat int, text string, bot bool) table.Entry {
		return table.Entry{Do: table.Moved, Seat: game.Seat(seat), Move: json.RawMessage(text), Bot: bot}
	}
	log := logOf{
		entries: []table.Entry{{Do: table.Opened}, {Do: table.Started}, move(0, `"a"`, false), {Do: table.Drawn}, move(1, `"b"`, true), move(0, `"c"`, false), {Do: table.Ended}},
		last:    []int{0, 1, 2, 3, 4, 5, 5},
	}
	s := &sitting{in: &house{}, id: "oak", over: true, told: map[int]int64{2: 20, 3: 21, 4: 30, 5: 50, 6: 51}, heard: map[int]kind{}}
	for n, e := range log.entries {
		s.heard[n] = kind{e.Do.String(), int(e.Seat)}
	}
	s.hearers = []*hearer{{number: 6, ends: true}}
	s.asked = []asked{
		{what: listed, begin: 1, end: 2, number: 1},
		{what: played, begin: 3, end: 10, after: 1, move: `"a"`, number: 3},
		{what: played, begin: 4, end: 12, after: 1, move: `"a"`, number: 3}, // sent again
		{what: refused, begin: 5, end: 11, after: 1, move: `"x"`},
		{what: looked, begin: 13, end: 14, number: 3},
		{what: looked, begin: 31, end: 32, number: 4},
		{what: played, begin: 40, end: 45, after: 4, move: `"c"`, number: 5},
	}
	return s, log
}

func (s *sitting) checkAll(log logOf) {
	s.checkOrder(log, s.checkAcked(log))
	s.checkStreams(log)
	s.checkClocks(log)
}

// TestEveryCheckCanFail tells what is so, and each check believes it; then one lie at
// a time, and the check that it is for does not.
func TestEveryCheckCanFail(t *testing.T) {
	t.Parallel()
	s, log := small()
	if s.checkAll(log); s.in.wrongs.all() != "" {
		t.Fatalf("what is so is not believed: %s", s.in.wrongs.all())
	}
	for _, lie := range []struct {
		name, check string
		tell        func(*sitting, *logOf)
	}{
		{"a move that was acknowledged is lost", "acked", func(_ *sitting, l *logOf) { l.entries, l.last = l.entries[:5], l.last[:5] }},
		{"another move is in its place", "acked", func(_ *sitting, l *logOf) { l.entries[5].Move = json.RawMessage(`"d"`) }},
		{"it is another seat's", "acked", func(_ *sitting, l *logOf) { l.entries[5].Seat = 1 }},
		{"a move is there twice", "acked", func(_ *sitting, l *logOf) {
			l.entries, l.last = append(l.entries[:6:6], l.entries[5], l.entries[6]), append(l.last[:6:6], 6, 6)
		}},
		{"a draft is played after something has happened", "acked", func(s *sitting, _ *logOf) { s.asked[6].after = 3 }},
		{"two drafts are one entry", "acked", func(s *sitting, l *logOf) { s.asked[2].number = 2 }},
		{"a look shows what is over", "order", func(s *sitting, _ *logOf) { s.asked[5].number = 3; s.asked[5].begin = 46; s.asked[5].end = 47 }},
		{"a look shows what is not yet", "order", func(s *sitting, _ *logOf) { s.asked[4].number = 5 }},
		{"a list is of before", "order", func(s *sitting, _ *logOf) { s.asked[0].begin, s.asked[0].end = 13, 14 }},
		{"a draft is refused for nothing", "order", func(s *sitting, _ *logOf) { s.asked[3].after, s.asked[3].begin, s.asked[3].end = 4, 33, 34 }},
		{"a bot has moved when somebody was told so, and a look comes later", "order", func(s *sitting, _ *logOf) { s.asked[5].number = 3 }},
		{"a clock has run out that has ten minutes", "clock", func(_ *sitting, l *logOf) { l.entries[3].Do = table.TimedOut }},
		{"a clock has run out twice", "clock", func(s *sitting, l *logOf) {
			s.sleep = true
			l.entries[1].Do, l.entries[3].Do = table.TimedOut, table.TimedOut
		}},
		{"a clock has not run out", "clock", func(s *sitting, _ *logOf) { s.sleep = true }},
		{"a stream told what is not there", "stream", func(s *sitting, _ *logOf) { s.heard[7] = kind{"move", 0} }},
		{"a stream told something else", "stream", func(s *sitting, _ *logOf) { s.heard[4] = kind{"move", 0} }},
		{"a stream never told the end", "stream", func(s *sitting, _ *logOf) { s.hearers[0].ends = false }},
		{"a stream ended early", "stream", func(s *sitting, _ *logOf) { s.hearers[0].number = 5 }},
	} {
		s, log := small()
		lie.tell(s, &log)
		if s.checkAll(log); s.in.wrongs.found(lie.check) == 0 {
			t.Errorf("%s: it is believed (%s)", lie.name, s.in.wrongs.all())
		}
	}
}

// TestAStreamIsHeardInItsOrder, without a hole, and lines of chat likewise.
func TestAStreamIsHeardInItsOrder(t *testing.T) {
	t.Parallel()
	type told struct{ name, data string }
	for _, c := range []struct {
		name   string
		events []told
		good   bool
	}{
		{"in order", []told{{"look", `{"look":{"number":3},"chat":2}`}, {"entry", `{"number":4,"entry":{"do":"move","seat":1}}`}, {"chat", `{"number":2}`}, {"chat", `{"number":3}`}, {"entry", `{"number":5,"entry":{"do":"end"}}`}}, true},
		{"a hole", []told{{"look", `{"look":{"number":3}}`}, {"entry", `{"number":5,"entry":{"do":"move","seat":1}}`}}, false},
		{"twice", []told{{"look", `{"look":{"number":3}}`}, {"entry", `{"number":3,"entry":{"do":"move","seat":1}}`}}, false},
		{"anew", []told{{"look", `{"look":{"number":3}}`}, {"look", `{"look":{"number":4}}`}}, false},
		{"anew after much", []told{{"look", `{"look":{"number":3}}`}, {"look", `{"look":{"number":204}}`}}, true},
		{"gone", []told{{"look", `{"look":{"number":3}}`}, {"gone", `{}`}}, false},
		{"a line twice", []told{{"look", `{"look":{"number":3},"chat":2}`}, {"chat", `{"number":2}`}, {"chat", `{"number":2}`}}, false},
		{"a line is missing", []told{{"look", `{"look":{"number":3},"chat":2}`}, {"chat", `{"number":3}`}}, false},
		{"somebody is taken for away", []told{{"look", `{"look":{"number":3}}`}, {"entry", `{"number":4,"entry":{"do":"leave","seat":1}}`}}, false},
	} {
		h := &house{}
		p := &player{person: &person{house: h}, sitting: &sitting{in: h, told: map[int]int64{}, heard: map[int]kind{}}, wake: make(chan struct{}, 1), last: &hearer{number: -1}}
		var wrong error
		for _, e := range c.events {
			if _, err := p.event(e.name, "x", []byte(e.data)); err != nil {
				wrong = err
			}
		}
		if (wrong == nil) != c.good {
			t.Errorf("%s: %v", c.name, wrong)
		}
	}
}

// TestNoRealNodeIsPlanted: what makes mistakes and sets clocks wrong is in no binary
// that is built without asking for it.
func TestNoRealNodeIsPlanted(t *testing.T) {
	t.Parallel()
	for tags, want := range map[string]bool{"": false, "planted": true} {
		out, err := exec.Command("go", "list", "-tags", tags, "-f", "{{.GoFiles}}", "copse/cmd/copse").Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "planted.go"); got != want {
			t.Errorf("with the tags %q copse is made of %s", tags, out)
		}
	}
}

// TestAPlanComesFromItsSeed: the same mishaps every time, each kind of them, and so
// many of half a minute.
func TestAPlanComesFromItsSeed(t *testing.T) {
	t.Parallel()
	one, two, other := plan(7, 1000, 20, 3, time.Hour), plan(7, 1000, 20, 3, time.Hour), plan(8, 1000, 20, 3, time.Hour)
	kinds, long, same := map[string]int{}, 0, 0
	for n, f := range one {
		if f != two[n] {
			t.Fatalf("%v and %v come from one seed", f, two[n])
		}
		if f == other[n] {
			same++
		}
		if n > 0 && f.at < one[n-1].at || f.at < 0 || f.at > time.Hour {
			t.Errorf("%v comes after %v", f, one[max(n-1, 0)])
		}
		kinds[f.what]++
		switch {
		case f.long == 30*time.Second:
			long++
		case f.long < 100*time.Millisecond || f.long > 5*time.Second:
			t.Errorf("%v", f)
		}
	}
	if len(kinds) != len(odds) || long != 20 || same > 10 {
		t.Errorf("%d kinds of %d, %d long, %d as from another seed", len(kinds), len(odds), long, same)
	}
	if short := plan(7, 40, 1, 3, time.Minute); len(short) != 40 {
		t.Errorf("%d mishaps", len(short))
	}
}

// TestALinkDoesAsItIsTold: it carries, holds in one direction, and cuts.
func TestALinkDoesAsItIsTold(t *testing.T) {
	t.Parallel()
	echo := newEcho(t)
	l := newLink(t, "echo", func() (string, string) { return "tcp", echo })
	c := dial(t, l)
	if !c.answers("a") {
		t.Fatal("it carries nothing")
	}
	for _, w := range []weather{{up: true}, {down: true}, {up: true, down: true}} {
		end, again := l.begin(w), l.begin(w)
		c.say("b")
		end() // there is still the other
		if c.hears(50 * time.Millisecond) {
			t.Errorf("it carries in %+v", w)
		}
		again()
		if !c.hears(math.MaxInt32 * time.Second) {
			t.Errorf("it holds after %+v", w)
		}
	}
	end := l.begin(weather{cut: true})
	if c.answers("c") {
		t.Error("it carries when it is cut")
	}
	if c, err := net.Dial("tcp", l.on.Addr().String()); err == nil { // it may be reset before it is told that it is there
		t.Cleanup(func() { _ = c.Close() })
		if (caller{c}).answers("d") {
			t.Error("it can be connected to when it is cut")
		}
	}
	end()
	if !dial(t, l).answers("e") {
		t.Error("it carries nothing afterwards")
	}
}
