package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"copse/store"
)

// logOf makes a log of bodies, each later than the one before.
func logOf(bodies ...[]byte) []store.Entry {
	log, at := []store.Entry{}, time.UnixMilli(1_767_859_200_000).UTC()
	for i, b := range bodies {
		log = append(log, store.Entry{Number: i, At: at, Body: b})
		at = at.Add(time.Duration(i*i) * time.Millisecond)
	}
	return log
}

func same(t *testing.T, log []store.Entry) []byte {
	t.Helper()
	packed, err := store.Pack(log)
	if err != nil {
		t.Fatal(err)
	}
	back, err := store.Unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	if len(back) != len(log) {
		t.Fatalf("of %d entries %d came back", len(log), len(back))
	}
	for i, e := range back {
		if e.Number != i || !e.At.Equal(log[i].At) || !bytes.Equal(e.Body, log[i].Body) {
			t.Fatalf("entry %d was %+v and is %+v", i, log[i], e)
		}
	}
	return packed
}

func TestAPackedLogIsTheLog(t *testing.T) {
	now := "1767859200000"
	same(t, nil)
	same(t, logOf(nil, []byte{}, []byte("x"), nil))
	same(t, logOf([]byte("\x00\x01\n"), []byte("\x01\x01\x00\x00\n\n"), []byte{1}))
	same(t, logOf([]byte(`{"at":`+now+`}`), []byte(now+now+"1"+now[:12]), []byte("1"+now)))
	same(t, logOf(make([]byte, store.LargestEntry)))
	zero := []store.Entry{{Body: []byte("0 and 0")}, {Number: 1, At: time.UnixMilli(-5).UTC(), Body: []byte("-5")}, {Number: 2, At: time.UnixMilli(7).UTC(), Body: []byte("7")}, {Number: 3}}
	same(t, zero)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var bodies [][]byte
		for range rng.IntN(20) {
			b := make([]byte, rng.IntN(40))
			for i := range b {
				b[i] = "\x00\x01\n\x02{}:176785920"[rng.IntN(15)]
			}
			bodies = append(bodies, b)
		}
		same(t, logOf(bodies...))
	}
}

// TestALogThatSaysItsTimesIsSmall: a time that is said twice is kept once.
func TestALogThatSaysItsTimesIsSmall(t *testing.T) {
	sizes := [2]int{}
	rng := rand.New(rand.NewPCG(2, 2))
	var told, silent []store.Entry
	at := int64(1_767_859_200_000)
	for i := range 100 {
		at += int64(rng.IntN(100_000))
		told = append(told, store.Entry{Number: i, At: store.Time(at), Body: fmt.Appendf(nil, `{"at":%d,"do":"pass"}`, at)})
		silent = append(silent, store.Entry{Number: i, At: store.Time(at), Body: []byte(`{"do":"pass"}`)})
	}
	sizes[0], sizes[1] = len(same(t, told)), len(same(t, silent))
	if sizes[0] > sizes[1]+20 {
		t.Errorf("saying the time makes a log of %d bytes one of %d", sizes[1], sizes[0])
	}
}

func TestAHarmedPackIsNoLog(t *testing.T) {
	packed := same(t, logOf([]byte(`{"do":"leaf","to":[4,3]}`), []byte(`{"do":"leaf","to":[5,3]}`), []byte(`{"do":"pass"}`)))
	for i := range packed {
		for bit := range 8 {
			harmed := bytes.Clone(packed)
			harmed[i] ^= 1 << bit
			log, err := store.Unpack(harmed)
			if err != nil {
				continue
			}
			// DEFLATE has bits at the end of its last byte that mean nothing.
			if back, err := store.Pack(log); err != nil || !bytes.Equal(back, packed) {
				t.Errorf("bit %d of byte %d turned, and it reads %v", bit, i, log)
			}
		}
		if _, err := store.Unpack(packed[:i]); err == nil {
			t.Errorf("cut after %d bytes it still reads", i)
		}
	}
	if _, err := store.Pack([]store.Entry{{Number: 1}}); err == nil {
		t.Error("a log with a gap was packed")
	}
}

func TestWhatWasShrunkGrowsBack(t *testing.T) {
	for _, b := range [][]byte{nil, {}, {0}, {1}, []byte("short"), bytes.Repeat([]byte(`{"seat":1}`), 100), make([]byte, 1<<16)} {
		small := store.Shrink(b)
		if len(small) > len(b)+1 {
			t.Errorf("%d bytes have become %d", len(b), len(small))
		}
		back, err := store.Grow(small, 1<<16)
		if err != nil || !bytes.Equal(back, b) {
			t.Errorf("%d bytes have come back as %d, %v", len(b), len(back), err)
		}
		if _, err := store.Grow(small, len(b)-1); err == nil {
			t.Errorf("%d bytes were taken for less", len(b))
		}
	}
	for _, wrong := range [][]byte{nil, {2}, {1}, {1, 0xff}} {
		if _, err := store.Grow(wrong, 100); err == nil {
			t.Errorf("%v has grown", wrong)
		}
	}
}

// FuzzUnpack: whatever the bytes, they are a log or an error, and a log packs to
// something that unpacks to it.
func FuzzUnpack(f *testing.F) {
	for _, log := range [][]store.Entry{nil, logOf([]byte("a")), logOf([]byte("1767859200000"), nil, []byte("\x00\x01\n"))} {
		packed, err := store.Pack(log)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
	}
	f.Add([]byte{1, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, packed []byte) {
		log, err := store.Unpack(packed)
		if err == nil {
			same(t, log)
		}
		if b, err := store.Grow(packed, 1<<16); err == nil && len(b) > 1<<16 {
			t.Errorf("it has grown to %d bytes", len(b))
		}
	})
}

// FuzzPack: whatever entries say, they come back as they were.
func FuzzPack(f *testing.F) {
	f.Add([]byte("a"), []byte("\n\x00\x01"), int64(1_767_859_200_000))
	f.Add([]byte("1767859200000"), []byte{}, int64(-1))
	f.Fuzz(func(t *testing.T, a, b []byte, at int64) {
		if at < -1<<60 || at > 1<<60 || len(a) > store.LargestEntry || len(b) > store.LargestEntry {
			return
		}
		same(t, []store.Entry{{Number: 0, At: store.Time(at), Body: a}, {Number: 1, At: store.Time(at), Body: b}})
	})
}

func BenchmarkPack(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	var bodies [][]byte
	for i := range 100 {
		bodies = append(bodies, fmt.Appendf(nil, `{"do":"move","seat":%d,"move":{"do":"leaf","to":[%d,%d]}}`, i%2, rng.IntN(9), rng.IntN(9)))
	}
	log := logOf(bodies...)
	packed, err := store.Pack(log)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			if _, err := store.Pack(log); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(packed)), "bytes")
	})
	b.Run("unpack", func(b *testing.B) {
		for b.Loop() {
			if _, err := store.Unpack(packed); err != nil {
				b.Fatal(err)
			}
		}
	})
}
