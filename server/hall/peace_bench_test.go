package hall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"copse/peace"
	"copse/store"
)

// BenchmarkPeaceOfTenThousand: what operators ask for where ten thousand people are, of
// whom a hundred are muted or banned.
func BenchmarkPeaceOfTenThousand(b *testing.B) {
	h := newTestHall(b)
	for i := range 10_000 {
		id := fmt.Sprintf("p%05d", i)
		if err := h.db.AddAccount(b.Context(), store.Account{ID: id, Name: fmt.Sprint("Person ", i), Salt: []byte{1}, Born: h.Now(), Seen: h.Now().Add(time.Duration(i) * time.Millisecond)}); err != nil {
			b.Fatal(err)
		}
		if i%100 == 0 {
			if _, err := h.Peace().Do(b.Context(), peace.Order{Do: peace.Mute, Account: id, Why: "x", At: h.Now()}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			if list, _, err := h.FindPeople(b.Context(), func(name string) bool { return strings.HasPrefix(name, "Person 99") }, 50); err != nil || len(list) != 50 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("find anybody", func(b *testing.B) {
		for b.Loop() {
			if list, more, err := h.FindPeople(b.Context(), func(string) bool { return true }, 50); err != nil || len(list) != 50 || !more {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if s, err := h.Peace().Load(b.Context()); err != nil || len(s.Marks) != 100 {
				b.Fatal(err)
			}
		}
	})
	b.Run("banned?", func(b *testing.B) {
		a := Account{ID: "p00100"}
		for b.Loop() {
			if _, err := h.Banned(b.Context(), a); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("look for news", func(b *testing.B) {
		for b.Loop() {
			if err := h.KeepPeace(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
