package doorbell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/push"
	"copse/push/pushtest"
	"copse/seal"
	"copse/store"
	"copse/store/sqlite"
)

func ring(t testing.TB, fill byte) *seal.Ring {
	t.Helper()
	r, err := seal.NewRing(bytes.Repeat([]byte{fill}, seal.KeyLength))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func papers(t testing.TB, accounts ...string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, id := range accounts {
		if err := s.AddAccount(context.Background(), store.Account{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// open opens a doorbell that counts what becomes of its messages.
func open(t testing.TB, o Options) (*Bell, func(Outcome) int) {
	t.Helper()
	var mu sync.Mutex
	became := map[Outcome]int{}
	o.Heed = func(one Outcome) {
		mu.Lock()
		defer mu.Unlock()
		became[one]++
	}
	b, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, func(one Outcome) int {
		mu.Lock()
		defer mu.Unlock()
		return became[one]
	}
}

func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it does not come to that", what)
		}
	}
}

func say(text string) func(string) []byte {
	return func(language string) []byte { return []byte(language + " " + text) }
}

// TestTheHouseHasOneKey, whoever makes it, and nobody makes another over one that cannot be
// opened: browsers take no message that was signed with another.
func TestTheHouseHasOneKey(t *testing.T) {
	t.Parallel()
	s := papers(t)
	var keys [8]string
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			b, err := Open(context.Background(), Options{Papers: s, Ring: ring(t, 1)})
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Close()
			keys[i] = string(b.Public())
		})
	}
	all.Wait()
	for _, key := range keys {
		if key == "" || key != keys[0] {
			t.Fatal("nodes that start at the same time have different keys")
		}
	}
	before, err := s.Paper(t.Context(), keyKind, keyKey)
	if err != nil || bytes.Contains(before.Body, []byte(keys[0][:16])) {
		t.Fatalf("it is kept as %x, %v", before.Body, err)
	}
	if _, err := Open(t.Context(), Options{Papers: s, Ring: ring(t, 2)}); !errors.Is(err, seal.ErrKey) {
		t.Errorf("with another key file: %v", err)
	}
	if now, err := s.Paper(t.Context(), keyKind, keyKey); err != nil || now.Version != before.Version {
		t.Errorf("it was changed: %+v, %v", now, err)
	}
}

// TestABrowserIsSealedForItsOwner: whoever reads the database reads nothing, and a paper
// that is put under another account rings at nobody's.
func TestABrowserIsSealedForItsOwner(t *testing.T) {
	t.Parallel()
	svc, s := pushtest.New(t), papers(t, "anna", "ben")
	bell, became := open(t, Options{Papers: s, Ring: ring(t, 1), Push: svc.Options()})
	br := svc.Browser()
	one, err := bell.Add(t.Context(), "anna", []byte(br.Subscription()), "session", "Firefox/Linux", "fr")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Paper(t.Context(), browserKind, one.ID)
	if err != nil || bytes.Contains(p.Body, []byte("example.com")) || bytes.Contains(p.Body, []byte("Firefox")) || strings.Contains(one.ID, "send") {
		t.Fatalf("it is kept as %q, %v", p.Body, err)
	}
	bell.Ring(Note{Account: "anna", TTL: time.Minute, Say: say("hello"), Topic: "t"})
	if got := svc.Wait(1)[0]; got.Body != "fr hello" {
		t.Errorf("it is told %q", got.Body)
	}
	stolen := p
	stolen.Owner = "ben"
	if err := s.Write(t.Context(), stolen); err != nil {
		t.Fatal(err)
	}
	bell.Ring(Note{Account: "ben", TTL: time.Minute, Say: say("hello")})
	bell.Ring(Note{Account: "anna", TTL: time.Minute, Say: say("hello")})
	if list, err := bell.Browsers(t.Context(), "ben"); err != nil || len(list) != 0 {
		t.Errorf("Ben has %v, %v", list, err)
	}
	until(t, "counted", func() bool { return became(Sent) == 1 })
	if n := len(svc.Got()); n != 1 {
		t.Errorf("%d were sent", n)
	}
}

// TestASlowServiceHoldsUpNobody: neither whoever rings nor another service; what does not
// fit is dropped and counted, and the end does not wait for it.
func TestASlowServiceHoldsUpNobody(t *testing.T) {
	t.Parallel()
	svc, s := pushtest.New(t), papers(t, "slow", "quick")
	o := svc.Options()
	o.Services = []string{pushtest.Host, "slow.test"}
	lookup, stuck := o.Lookup, make(chan struct{})
	var hangs atomic.Int64
	o.Lookup = func(ctx context.Context, host string) (list []netip.Addr, err error) {
		if host == "slow.test" {
			hangs.Add(1)
			select {
			case <-ctx.Done():
			case <-stuck:
			}
			return nil, ctx.Err()
		}
		return lookup(ctx, host)
	}
	defer close(stuck)
	bell, became := open(t, Options{Papers: s, Ring: ring(t, 1), Push: o})
	slow, quick := svc.Browser(), svc.Browser()
	for account, said := range map[string]string{"slow": slow.At("https://slow.test/send"), "quick": quick.Subscription()} {
		if _, err := bell.Add(t.Context(), account, []byte(said), "x", "", "en"); err != nil {
			t.Fatal(err)
		}
	}
	const many = mostNotes + mostQueued + 200
	for range many {
		bell.Ring(Note{Account: "slow", TTL: time.Hour, Say: say("slow")})
	}
	until(t, "dropped", func() bool { return became(Dropped) > 0 && hangs.Load() >= carriers })
	until(t, "read", func() bool { return len(bell.rounds.notes) == 0 })
	bell.Ring(Note{Account: "quick", TTL: time.Hour, Say: say("quick")})
	if got := svc.Wait(1); got[0].Body != "en quick" || got[0].To != quick {
		t.Errorf("it is told %+v", got)
	}
	begun := time.Now()
	bell.Close()
	if took := time.Since(begun); took > carryTime*2/3 { // as long as each of those that hang has left
		t.Errorf("the end took %v", took)
	}
}

// TestWhatIsTooLateIsNotSent, nor what is not true any more when it is tried again; nor to a
// browser that is somebody else's by then.
func TestWhatIsTooLateIsNotSent(t *testing.T) {
	t.Parallel()
	svc, s := pushtest.New(t), papers(t, "anna", "ben")
	var mu sync.Mutex
	now := time.Now()
	var waits []func()
	var log bytes.Buffer
	bell, became := open(t, Options{
		Papers: s, Ring: ring(t, 1), Push: svc.Options(), Log: slog.New(slog.NewTextHandler(&log, nil)),
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		},
		Later: func(_ time.Duration, do func()) Stop {
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, do)
			return time.NewTimer(time.Hour)
		},
	})
	br := svc.Browser()
	add := func(account string) {
		if _, err := bell.Add(t.Context(), account, []byte(br.Subscription()), "x", "", "en"); err != nil {
			t.Fatal(err)
		}
	}
	add("anna")
	again := func(pass time.Duration) {
		until(t, "waits", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(waits) > 0
		})
		mu.Lock()
		now = now.Add(pass)
		do := waits[0]
		waits = nil
		mu.Unlock()
		do()
	}
	svc.Answer(func(string) (int, string) { return 429, "60" })
	still := func(yes bool) func(context.Context) bool { return func(context.Context) bool { return yes } }
	// Too late when it may be sent again.
	bell.Ring(Note{Account: "anna", TTL: 59 * time.Second, Say: say("1"), Still: still(true)})
	until(t, "dropped", func() bool { return became(Dropped) == 1 })
	// The service is still to be left alone: the next one waits without asking it.
	bell.Ring(Note{Account: "anna", TTL: time.Hour, Say: say("2"), Still: still(false)})
	again(2 * time.Minute)
	until(t, "asked", func() bool { return len(svc.Got()) == 1 })
	svc.Answer(nil)
	bell.Ring(Note{Account: "anna", TTL: time.Hour, Say: say("3")})
	if got := svc.Wait(2); got[1].Body != "en 3" {
		t.Errorf("%+v", got)
	}
	// Somebody else's by the time it is sent again.
	svc.Answer(func(string) (int, string) { return 503, "" })
	bell.Ring(Note{Account: "anna", TTL: time.Hour, Say: say("4"), Still: still(true)})
	svc.Wait(3)
	until(t, "waits", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(waits) > 0
	})
	add("ben")
	svc.Answer(nil)
	again(2 * time.Minute)
	bell.Ring(Note{Account: "ben", TTL: time.Hour, Say: say("5")})
	got := svc.Wait(4)
	if len(got) != 4 || got[3].Body != "en 5" {
		t.Errorf("the last is %+v of %d", got[len(got)-1].Body, len(got))
	}
	if text := log.String(); strings.Contains(text, "/send/") || !strings.Contains(text, "service=example.com") || strings.Count(text, "\n") != 1 {
		t.Errorf("the log says %s", text)
	}
}

// TestOfTooManyBrowsersTheOldestGo, also where many were added at the same time.
func TestOfTooManyBrowsersTheOldestGo(t *testing.T) {
	t.Parallel()
	svc, s := pushtest.New(t), papers(t, "anna")
	now := time.Now()
	bell, _ := open(t, Options{Papers: s, Ring: ring(t, 1), Push: svc.Options(), Now: func() time.Time { return now }})
	var last Browser
	for n := range MostBrowsers + 5 {
		now = now.Add(time.Second)
		one, err := bell.Add(t.Context(), "anna", []byte(svc.Browser().Subscription()), fmt.Sprint(n), "", "en")
		if err != nil {
			t.Fatal(err)
		}
		last = one
	}
	list, err := bell.Browsers(t.Context(), "anna")
	if err != nil || len(list) != MostBrowsers || list[0].ID != last.ID || list[MostBrowsers-1].Session != "5" {
		t.Errorf("%d are left, the newest %+v, %v", len(list), list[0], err)
	}
	if err := bell.Move(t.Context(), "anna", list[0].Session, "other"); err != nil {
		t.Fatal(err)
	}
	if moved, err := bell.Browsers(t.Context(), "anna"); err != nil || moved[0].Session != "other" || moved[1].Session != list[1].Session {
		t.Errorf("moved to another session: %+v, %v", moved[0], err)
	}
	if _, err := bell.Add(t.Context(), "anna", []byte(svc.Browser().At("https://evil.test/x")), "x", "", "en"); !errors.Is(err, push.ErrService) {
		t.Errorf("another service: %v", err)
	}
	if _, err := bell.Add(t.Context(), "nobody", []byte(svc.Browser().Subscription()), "x", "", "en"); !errors.Is(err, store.ErrNone) {
		t.Errorf("for nobody: %v", err)
	}
}
