package hall

import (
	"encoding/json"
	"testing"
	"time"

	"copse/table"
)

// own are settings with a pace of their own.
func own(bank, step time.Duration) table.Settings {
	set := settings("bosk", 2)
	set.Pace, set.Bank, set.Gain = table.Own, table.Time(bank.Milliseconds()), table.Time(step.Milliseconds())
	return set
}

// TestWhoIsExpectedToStay: at a quick pace of the table's own who is out of reach is
// played for, as in a live game; at a slow one nobody has to stay.
func TestWhoIsExpectedToStay(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	for _, c := range []struct {
		bank time.Duration
		want table.Holder
	}{{30 * time.Minute, table.Away}, {2 * time.Hour, table.Human}} {
		id := h.begun(own(c.bank, 10*time.Second), people...)
		reader := h.news.Subscribe(1000)
		_, err := h.Follow(t.Context(), id, people[0], reader)
		h.good(err)
		h.wait(outOfReach + time.Second)
		h.Sweep(t.Context())
		s, err := h.Look(t.Context(), id, people[0])
		h.good(err)
		if seats := s.Look.People.Seats; seats[0].Held != table.Human || seats[1].Held != c.want {
			t.Errorf("with %s each the seats are held by %+v", c.bank, seats)
		}
	}
}

// TestASlowTableWaitsForPeople: how long a table waits goes by its own figures.
func TestASlowTableWaitsForPeople(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	for _, c := range []struct{ bank, wait time.Duration }{{time.Minute, 24 * time.Hour}, {5 * time.Hour, 7 * 24 * time.Hour}, {24 * time.Hour, 30 * 24 * time.Hour}} {
		id := h.table(own(c.bank, 0))
		h.sit(id, anna)
		r, err := h.enter(t.Context(), id)
		h.good(err)
		if got := r.wakeFor(0, false).Sub(h.Now()); got != c.wait {
			t.Errorf("with %s each it is looked at again in %s, want %s", c.bank, got, c.wait)
		}
		r.leave()
	}
}

// TestTheListTellsThePace: what a list says of a table has its figures.
func TestTheListTellsThePace(t *testing.T) {
	h := newTestHall(t)
	h.table(own(20*time.Minute, 45*time.Second))
	list, err := h.Open(t.Context(), Account{}, "bosk", 0, 10)
	h.good(err)
	if len(list) != 1 {
		t.Fatalf("listed are %+v", list)
	}
	var told struct {
		Pace       string
		Bank, Step int
	}
	h.good(json.Unmarshal(list[0].Settings, &told))
	if told.Pace != table.Own || told.Bank != 1200000 || told.Step != 45000 {
		t.Errorf("the list says %s", list[0].Settings)
	}
}
