package hall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/table"
)

// TestWhoPlaysWithWhom is the queue as a table of cases: each waiter as
// name:points:seconds waited, +s for how long ago they asked, and who is matched.
func TestWhoPlaysWithWhom(t *testing.T) {
	const now = table.Time(1_000_000)
	for _, one := range []struct {
		name  string
		seats int
		bots  int // seconds that everybody waits for people
		list  string
		want  string
	}{
		{"nobody", 2, 60, "", ""},
		{"one waits", 2, 60, "a:1500:0", ""},
		{"two strangers at once", 2, 60, "a:1500:0 b:1600:0", "a+b"},
		{"too far apart at once", 2, 60, "a:1500:0 b:1700:0", ""},
		{"the window widens", 2, 60, "a:1500:6 b:1700:0", "a+b"},
		{"after half a minute anybody will do", 2, 60, "a:1500:30 b:2900:0", "a+b"},
		{"who is hardly known may be as strong", 2, 60, "a:1500~250:0 b:1800~60:0", "a+b"},
		{"but not as strong as anybody", 2, 60, "a:1500~250:0 b:1900~60:0", ""},
		{"the nearest is who seems nearest", 2, 60, "a:1500:5 b:1510:0 c:1600~250:0", "a+b"},
		{"the nearest of several", 2, 60, "a:1500:5 b:1590:0 c:1510:0", "a+c"},
		{"whoever waits longest is served first", 2, 60, "a:1500:5 b:1500:9 c:1500:7", "b+c"},
		{"two pairs", 2, 60, "a:1500:9 b:1500:8 c:1500:7 d:1500:6", "a+b c+d"},
		{"three are too few for four", 4, 60, "a:1500:5 b:1500:5 c:1500:5", ""},
		{"four", 4, 60, "a:1500:5 b:1500:5 c:1500:5 d:1500:5", "a+b+c+d"},
		{"bots after the time of one's choice", 4, 10, "a:1500:10 b:1500:1", "a+b"},
		{"alone with bots", 3, 10, "a:1500:10", "a"},
		{"bots at once", 2, 0, "a:1500:0", "a"},
		{"who does not ask is not matched", 2, 60, "a:1500:9 b:1500:8+7 c:1500:7", "a+c"},
		{"nor alone", 2, 0, "a:1500:9+7", ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			var list []waiter
			for _, text := range strings.Fields(one.list) {
				var name string
				var points, spread float64
				var waited, ago int
				parts := strings.Split(text, ":")
				name = parts[0]
				mean, doubt, _ := strings.Cut(parts[1], "~")
				_, _ = fmt.Sscan(mean, &points)
				_, _ = fmt.Sscan(doubt, &spread)
				_, _ = fmt.Sscanf(parts[2], "%d+%d", &waited, &ago)
				list = append(list, waiter{name, Want{"bosk", one.seats, "live", false, table.Time(one.bots) * 1000}, points, spread, now - table.Time(waited)*1000, now - table.Time(ago)*1000, nil, nil})
			}
			var got []string
			for _, m := range matches(now, list) {
				var names []string
				for _, w := range m {
					names = append(names, w.account)
				}
				got = append(got, strings.Join(names, "+"))
			}
			if strings.Join(got, " ") != one.want {
				t.Errorf("matched are %q, and should be %q", got, one.want)
			}
		})
	}
}

// TestQueuesDoNotMix: another game, size, pace or kind of game is another queue, and
// nobody is in two matches.
func TestQueuesDoNotMix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var list []waiter
		for i := range 40 {
			w := Want{[]string{"bosk", "grandbois"}[rng.IntN(2)], 2 + rng.IntN(3), []string{"live", "days"}[rng.IntN(2)], rng.IntN(2) == 0, table.Time(rng.IntN(60_000))}
			list = append(list, waiter{fmt.Sprint(i), w, 1500 + 300*rng.NormFloat64(), 0, table.Time(rng.IntN(60_000)), 60_000, nil, nil})
		}
		var seen []string
		for _, m := range matches(60_000, list) {
			if len(m) > m[0].Seats {
				t.Fatalf("%d people at a table of %d", len(m), m[0].Seats)
			}
			for _, w := range m {
				if !together(w.Want, m[0].Want) {
					t.Fatalf("%+v and %+v are matched", w, m[0])
				}
				if slices.Contains(seen, w.account) {
					t.Fatalf("%s is in two matches", w.account)
				}
				seen = append(seen, w.account)
			}
		}
	}
}

// TestAThousandWait: most of a long queue is matched at one look.
func TestAThousandWait(t *testing.T) {
	var list []waiter
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 1000 {
		list = append(list, waiter{fmt.Sprint(i), Want{"bosk", 4, "live", true, 60_000}, 1500 + 200*rng.NormFloat64(), 0, table.Time(i), 1000, nil, nil})
	}
	if got := len(matches(1000, list)); got < 200 {
		t.Errorf("of a thousand only %d tables are made", got)
	}
}

// TestTenThousandWait who are all too far apart: looking at them takes no time, and those
// who have waited longest are among those who are looked at.
func TestTenThousandWait(t *testing.T) {
	var list []waiter
	for i := range 10_000 {
		list = append(list, waiter{fmt.Sprint(i), Want{"bosk", 2, "live", true, 60_000}, 1000 * float64(i), 0, 60_000, 60_000, nil, nil})
	}
	list[7000].since, list[9000].since = 1, 2
	begun := worked(t)
	got := matches(60_000, list)
	if took := worked(t) - begun; took > time.Second/2 { // it takes a fortieth of one; without a bound, a whole one
		t.Errorf("ten thousand who wait take %v", took)
	}
	if len(got) != 1 || got[0][0].account != "7000" {
		t.Errorf("matched are %v", got)
	}
}

// TestThoseWhoMetInVain are not matched again, and nobody begins with bots before their
// time for that.
func TestThoseWhoMetInVain(t *testing.T) {
	w := Want{"bosk", 3, "live", false, 60_000}
	list := []waiter{{"a", w, 1500, 0, 1, 9, nil, nil}, {"b", w, 1500, 0, 2, 9, map[string]int{"c": mostMissing}, nil}, {"c", w, 1500, 0, 3, 9, nil, nil}}
	if got := matches(9, list); len(got) != 0 {
		t.Errorf("b and c meet again, or a plays with a bot: %v", got)
	}
	if got := matches(9, append(list, waiter{"d", w, 1500, 0, 4, 9, nil, nil})); len(got) != 1 || got[0][1].account != "b" || got[0][2].account != "d" {
		t.Errorf("a plays with b and d: %v", got)
	}
	if got := matches(60_001, []waiter{{"b", list[1].Want, 1500, 0, 1, 60_000, list[1].missed, nil}, {"c", w, 1500, 0, 3, 60_000, nil, nil}}); len(got) != 1 || len(got[0]) != 1 {
		t.Errorf("b plays with bots alone: %v", got)
	}
}
