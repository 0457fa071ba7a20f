//go:build unix

package nats

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	client "github.com/nats-io/nats.go"

	"copse/news"
)

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// a move as one node tells it to the others: in the form of its viewers, and itself.
func told(number int) news.Item {
	return news.Item{Topic: news.Table("0123456789abcdef"), Number: number, Body: bytes.Repeat([]byte("x"), 330), Raw: bytes.Repeat([]byte("y"), 100)}
}

// BenchmarkHear is what it costs a node to hear a move at a table at which nobody
// looks on there, the network apart. Every node hears every move of the house.
func BenchmarkHear(b *testing.B) {
	c := node(b, start(b, 0), Options{})
	heard := 0
	c.Overhear(news.Ear{Item: func(news.Item) { heard++ }})
	item := told(7)
	message := client.Msg{Data: encode(nil, &item)}
	b.ReportAllocs()
	for b.Loop() {
		c.hear(&message)
	}
	if heard != b.N {
		b.Errorf("%d of %d were heard", heard, b.N)
	}
	b.ReportMetric(float64(len(message.Data)), "bytes")
}

// BenchmarkCarry is what a move costs from one node to others, with the NATS server:
// all in this process.
func BenchmarkCarry(b *testing.B) {
	for _, others := range []int{1, 2} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) {
			s := start(b, 0)
			from := node(b, s, Options{})
			var heard atomic.Int64
			for range others {
				node(b, s, Options{}).Overhear(news.Ear{Item: func(news.Item) { heard.Add(1) }})
			}
			const atOnce = 64 // on their way
			cpu := cpuTime(b)
			b.ResetTimer()
			for n := range b.N {
				for ; int64(n*others)-heard.Load() > int64(atOnce*others); time.Sleep(10 * time.Microsecond) {
				}
				from.Publish(told(n))
			}
			until(b, "not all were heard", func() bool { return heard.Load() == int64(b.N*others) })
			b.StopTimer()
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/move")
		})
	}
}
