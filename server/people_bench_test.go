package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"copse/rating"
	"copse/server"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// manyPeople is how many members a house has in the benchmark.
const manyPeople = 10_000

// mostWait is how long the slowest of a hundred answers may take.
const mostWait = 50 * time.Millisecond

// BenchmarkPeople measures what is asked about people and by people in a house of ten
// thousand, on one node: pages of members, lists of games, open tables, and Play now
// with a hundred who press it again and again. Everything goes over the wire, asked by two at a time. What is
// held to the limit is the best of five rounds or more, since what else the machine does
// only adds to it; all rounds together are told beside it.
func BenchmarkPeople(b *testing.B) {
	w := newWorld(b, func(h *hall.Options, _ *server.Options) { h.Now = nil }) // how often is looked for matches goes by the clock
	rng := rand.New(rand.NewPCG(1, 1))
	w.populate(manyPeople)
	var asks []*client // of some of them
	for n := range 400 {
		asks = append(asks, w.enters(n))
	}
	for range 200 {
		asks[rng.IntN(len(asks))].table(`{"game":"bosk","seats":2,"visible":"open"}`)
	}
	for n := range 40 { // real games, for the lists of those who ask for their own
		lost("open", asks[n], asks[n+1])
	}
	anybody := func() string { return pageOf(personName(rng.IntN(manyPeople))) }
	busy := func() string { return pageOf(personName(rng.IntN(manyPeople/100) * 100)) } // who has 2,000 games
	for _, one := range []struct {
		name  string
		crowd bool // more than is promised for: it is measured, and fails nothing
		ask   func(n int) (by *client, method, path, body string)
	}{
		{"profile", false, func(int) (*client, string, string, string) { return w.nobody(), "GET", anybody(), "" }},
		{"profile-2000-games", false, func(int) (*client, string, string, string) { return w.nobody(), "GET", busy(), "" }},
		{"games", false, func(int) (*client, string, string, string) { return w.nobody(), "GET", anybody() + "/games", "" }},
		{"games-2000-games", false, func(int) (*client, string, string, string) {
			return w.nobody(), "GET", busy() + fmt.Sprintf("/games?before=%d", 1+rng.IntN(2000)), ""
		}},
		{"own-games", false, func(n int) (*client, string, string, string) {
			n %= 40
			return asks[n], "GET", pageOf(personName(n)) + "/games", ""
		}},
		{"nobody", false, func(int) (*client, string, string, string) {
			return w.nobody(), "GET", "/api/people/" + url.PathEscape(fmt.Sprint("Stranger ", rng.IntN(1e6))), ""
		}},
		{"open-tables", false, func(int) (*client, string, string, string) { return w.nobody(), "GET", "/api/tables?most=30", "" }},
		{"play-now", false, func(n int) (*client, string, string, string) {
			return asks[n%100], "POST", "/api/play", `{"game":"bosk","seats":4,"bots":300000}`
		}},
		{"play-now-400-wait", true, func(n int) (*client, string, string, string) {
			return asks[n%len(asks)], "POST", "/api/play", `{"game":"bosk","seats":4,"bots":300000}`
		}},
		{"waiting", false, func(n int) (*client, string, string, string) {
			return asks[n%100], "GET", "/api/play", ""
		}},
	} {
		b.Run(one.name, func(b *testing.B) {
			var every []time.Duration
			best, half, rounds := time.Duration(1<<62), time.Duration(0), 0
			round := func() {
				const many = 400
				var took []time.Duration
				var mu sync.Mutex
				var all sync.WaitGroup
				type asked struct {
					by                 *client
					method, path, body string
				}
				list := make(chan asked, many)
				for n := range many {
					by, method, path, body := one.ask(n)
					list <- asked{by, method, path, body}
				}
				close(list)
				for range 2 {
					all.Go(func() {
						for a := range list {
							begun := time.Now()
							r, err := a.by.try(a.method, a.path, a.body)
							d := time.Since(begun)
							if err != nil || r.status >= 500 || r.status == 400 {
								b.Errorf("%s %s is answered %d, %v: %s", a.method, a.path, r.status, err, r.body)
							}
							mu.Lock()
							took = append(took, d)
							mu.Unlock()
						}
					})
				}
				all.Wait()
				slices.Sort(took)
				if last := took[many*99/100]; last < best {
					best, half = last, took[many/2]
				}
				every = append(every, took...)
				rounds++
			}
			for b.Loop() {
				round()
			}
			for rounds < 5 {
				round()
			}
			b.ReportMetric(float64(half.Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(best.Microseconds())/1000, "p99-ms")
			slices.Sort(every)
			b.ReportMetric(float64(every[len(every)*99/100].Microseconds())/1000, "p99-all-rounds-ms")
			if best > mostWait && !one.crowd {
				b.Errorf("the slowest of a hundred take %v", best)
			}
		})
	}
}

func personName(n int) string { return fmt.Sprintf("Person %05d", n) }
func personID(n int) string   { return fmt.Sprintf("person-%05d", n) }

// enters is somebody of these people, signed in.
func (w *world) enters(n int) *client {
	secret := "the_secret_of_" + personID(n)
	if err := w.db.Admit(context.Background(), store.Pass{Digest: store.DigestOf(secret), Kind: store.Session, Account: personID(n), Born: w.hall.Now(), Until: w.hall.Now().Add(1000 * time.Hour)}); err != nil {
		w.Fatal(err)
	}
	return &client{world: w, cookie: secret}
}

// populate makes people up: each has a name, a rating or two with how they went, and
// between none and some hundred games; one of a hundred has 2,000.
func (w *world) populate(many int) {
	w.Helper()
	numbers := make(chan int, many)
	for n := range many {
		numbers <- n
	}
	close(numbers)
	var all sync.WaitGroup
	for range 64 { // so that many are written at once
		all.Go(func() {
			for n := range numbers {
				if err := w.madeUp(n); err != nil {
					w.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if w.Failed() {
		w.FailNow()
	}
}

// madeUp is one of them.
func (w *world) madeUp(n int) error {
	ctx, id, rng := context.Background(), personID(n), rand.New(rand.NewPCG(uint64(n), 7))
	err := w.hall.AddAccount(ctx, hall.Account{ID: id, Name: personName(n), Salt: []byte(id), More: hall.More{Member: table.At(dawn)}})
	if err != nil {
		return err
	}
	var papers []store.Paper
	var wrong error
	put := func(kind, key string, body any) {
		raw, err := json.Marshal(body)
		wrong = errors.Join(wrong, err)
		papers = append(papers, store.Paper{Kind: kind, Key: key, Owner: id, Body: raw})
	}
	for _, look := range server.Looks(personName(n)) {
		put("name", look, 1)
	}
	for _, game := range []string{"bosk", "grandbois"}[:1+n%2] {
		s := hall.Standing{Pool: rating.Pool{Game: game, Version: 1, Pace: table.Live}, Who: fmt.Sprint(game, n), Rating: rating.Rating{Mean: 1000 + 1000*rng.Float64(), Spread: 80}, Games: 60}
		for k := range 60 {
			s.Past = append(s.Past, hall.Past{Number: int64(k), At: dawn.UnixMilli(), Rating: s.Rating, Table: "abcdefghijkl"})
		}
		put("rating", game+" 1 live "+id, s)
	}
	played := rng.IntN(100)
	if n%100 == 0 {
		played = 2000
	}
	career, list := hall.Career{Whole: true, Open: played}, []hall.PlayedGame{}
	for _, game := range []string{"bosk", "grandbois", "treesociety"} {
		for seats := 2; seats <= 4; seats++ {
			career.Rows = append(career.Rows, hall.CareerRow{Game: game, Seats: seats, Pace: table.Live, Played: played / 9, Won: played / 20, Ranks: []int{played / 20, 1, 1, 1}[:seats]})
		}
	}
	put("career", id, career)
	for k := range played {
		list = append(list, hall.PlayedGame{Table: fmt.Sprintf("made-up-%04d", k), At: table.At(dawn), Game: "bosk", Seats: 2, Pace: table.Live, Rank: 1})
	}
	number := 0
	for some := range slices.Chunk(list, 64) {
		put("played", fmt.Sprintf("%s open %06d", id, number), some)
		number++
	}
	if wrong != nil {
		return wrong
	}
	for some := range slices.Chunk(papers, store.MostPapers) {
		if err := w.db.Write(ctx, some...); err != nil {
			return err
		}
	}
	return nil
}
