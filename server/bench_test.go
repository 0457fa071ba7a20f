package server_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"testing"

	"copse/server"
	"copse/server/hall"
)

// BenchmarkMove measures a move over the wire, from the POST to its answer, with
// two players who listen: CPU and allocations of clients and server together.
func BenchmarkMove(b *testing.B) {
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b)
			people := []*client{w.guest("Anna"), w.guest("Ben")}
			rng := rand.New(rand.NewPCG(1, 1))
			id, streams := "", []*listener{}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				if id == "" || people[0].toAct(id) < 0 {
					for _, l := range streams {
						l.close()
					}
					id, streams = begun(`{"game":"`+name+`","seats":2}`, people...), nil
					for _, c := range people {
						streams = append(streams, c.listen("table="+id))
					}
				}
				c := people[people[0].toAct(id)]
				m := c.moves(id)
				body := draft(m.After, m.Moves[rng.IntN(len(m.Moves))])
				b.StartTimer()
				c.ask("POST", "/api/tables/"+id+"/moves", body, "Idempotency-Key: "+fmt.Sprint(m.After)).is(b, 200)
			}
		})
	}
}

// BenchmarkMemory measures what a table in mid-game costs, and a stream besides.
func BenchmarkMemory(b *testing.B) {
	const many = 200
	var stack float64
	used := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		stack = float64(m.StackInuse)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w := newWorld(b, func(_ *hall.Options, s *server.Options) {
					s.Limits = server.Limits{Requests: -1, Streams: -1, Tables: -1, Creates: -1}
				})
				people := []*client{w.guest("Anna"), w.guest("Ben")}
				rng := rand.New(rand.NewPCG(1, 1))
				move := func(id string) { move(rng, id, people...) }
				var ids []string
				move(begun(`{"game":"`+name+`","seats":2}`, people...)) // what is made once
				before := used()
				for range many {
					id := begun(`{"game":"`+name+`","seats":2}`, people...)
					for range 30 {
						move(id)
					}
					ids = append(ids, id)
				}
				tables := used()
				was := stack
				var lines []net.Conn
				for _, id := range ids {
					for range 2 {
						lines = append(lines, raw(b, w, id))
					}
				}
				streams := used()
				b.ReportMetric((tables-before)/many/1024, "KiB/table")
				b.ReportMetric((streams-tables)/many/1024, "KiB/2-streams")
				b.ReportMetric((stack-was)/many/1024, "KiB-stack/2-streams")
				for _, c := range lines {
					_ = c.Close()
				}
			}
		})
	}
}

// raw opens a stream that costs as little as possible on this side.
func raw(b *testing.B, w *world, id string) net.Conn {
	b.Helper()
	host := strings.TrimPrefix(w.url, "http://")
	c, err := net.Dial("tcp", host)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintf(c, "GET /api/stream?table=%s HTTP/1.1\r\nHost: %s\r\n\r\n", id, host); err != nil {
		b.Fatal(err)
	}
	for r := bufio.NewReaderSize(c, 16); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		if strings.HasPrefix(line, "event: beat") {
			return c
		}
	}
}
