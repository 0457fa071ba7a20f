package doorbell

import (
	"sync"
	"testing"
	"time"

	"copse/push/pushtest"
)

// TestOneBrowserSilencesNobody: a service that wants to hear nothing for a day about one
// browser, which its owner may have brought about, is asked for others soon again.
func TestOneBrowserSilencesNobody(t *testing.T) {
	t.Parallel()
	svc, s := pushtest.New(t), papers(t, "anna", "ben")
	var mu sync.Mutex
	now, waits := time.Now(), []time.Duration{}
	bell, _ := open(t, Options{
		Papers: s, Ring: ring(t, 1), Push: svc.Options(),
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		},
		Later: func(wait time.Duration, _ func()) Stop {
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, wait)
			return time.NewTimer(time.Hour)
		},
	})
	for _, account := range []string{"anna", "ben"} {
		if _, err := bell.Add(t.Context(), account, []byte(svc.Browser().Subscription()), "x", "", "en"); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func(n int) time.Duration {
		until(t, "waits", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(waits) == n
		})
		return waits[n-1]
	}
	svc.Answer(func(string) (int, string) { return 429, "86400" })
	bell.Ring(Note{Account: "anna", TTL: 48 * time.Hour, Say: say("1")})
	if wait := waiting(1); wait != 24*time.Hour {
		t.Errorf("what the service has refused is tried again after %v", wait)
	}
	svc.Answer(nil)
	bell.Ring(Note{Account: "ben", TTL: 48 * time.Hour, Say: say("2")})
	if wait := waiting(2); wait > mostRest || len(svc.Got()) != 1 {
		t.Errorf("what is meant for somebody else waits %v", wait)
	}
	mu.Lock()
	now = now.Add(mostRest)
	mu.Unlock()
	bell.Ring(Note{Account: "ben", TTL: 48 * time.Hour, Say: say("3")})
	if got := svc.Wait(2); got[1].Body != "en 3" {
		t.Errorf("%+v", got)
	}
}
