package hall

import (
	"encoding/json"
	"slices"
	"testing"

	"copse/game"
	"copse/news"
	"copse/table"
)

// TestWhatIsWrittenByHand: it is what encoding/json would write.
func TestWhatIsWrittenByHand(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		id := h.begun(settings(name, 2), people...)
		for n := 0; h.move(id, people...); n++ {
			if n == 20 {
				h.do(id, people[0], func(p table.Person) table.Command { return table.TakeBack{Person: p, To: -1} })
				h.do(id, people[1], func(p table.Person) table.Command { return table.Answer{Person: p, For: table.Undo, Yes: true} })
			}
		}
		r, err := h.enter(t.Context(), id)
		h.good(err)
		for _, viewer := range []game.Seat{0, 1, game.Watcher} {
			for _, item := range r.t.Since(0, viewer) {
				told := HeardEntry{Table: id, Item: item}
				if item.People != nil || item.Look != nil {
					told.Who, err = r.who()
					h.good(err)
				}
				told.Called, err = r.called(item.Of)
				h.good(err)
				want, err := json.Marshal(told)
				h.good(err)
				if got, err := r.form(nil, &item); err != nil || string(got) != string(want) {
					t.Fatalf("entry %d is written\n%.400s, not\n%.400s", item.Number, got, want)
				}
			}
		}
		row, shown := r.list()
		if want, err := json.Marshal(shown); err != nil || string(row.About) != string(want) {
			t.Errorf("the index is written %s, not %s (%v)", row.About, want, err)
		}
		r.leave()
	}
	strange := []game.Event{
		{Key: "x", Args: game.Args{"b": "Å“<&>\\\n", "a": -3, "seat": game.Watcher, "list": []int{1, 2}, "none": nil, "\"": true}, To: game.Only(1)},
		{Key: "y", Args: game.Args{}, To: game.Everyone},
	}
	if want, err := json.Marshal(strange); err != nil || string(appendEvents(nil, strange)) != string(want) {
		t.Errorf("events are written %s, not %s (%v)", appendEvents(nil, strange), want, err)
	}
}

// TestLinesTellOfWhoSatThereThen: whoever sits there now. Anna was sent away, a bot
// had to go, and cleo sits there. A name goes with its account.
func TestLinesTellOfWhoSatThereThen(t *testing.T) {
	h := newTestHall(t)
	ben, anna, cleo := h.account("ben"), h.account("anna"), h.account("cleo")
	id := h.table(settings("bosk", 2))
	reader := h.news.Subscribe(1000)
	_, err := h.Follow(t.Context(), id, cleo, reader)
	h.good(err)
	h.sit(id, ben, anna)
	h.do(id, ben, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
	h.do(id, ben, func(p table.Person) table.Command { return table.SeatBot{Person: p, Seat: 1, Player: "easy"} })
	h.do(id, ben, func(p table.Person) table.Command { return table.DropBot{Person: p, Seat: 1} })
	h.sit(id, cleo)
	h.do(id, ben, start)

	lines := func(list []json.RawMessage) (all []string) {
		for _, raw := range list {
			var told struct {
				Entry  struct{ Do string }
				Of     *struct{ Held, Player string }
				Called *Who
			}
			h.good(json.Unmarshal(raw, &told))
			if told.Of == nil {
				continue
			}
			line := told.Entry.Do + " " + told.Of.Held + " " + told.Of.Player
			if told.Called != nil {
				line += told.Called.Name
			}
			all = append(all, line)
		}
		return all
	}
	is := func(when string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s the lines tell of %q, not of %q", when, got, want)
		}
	}
	since := func(hall *Hall) []string {
		list, err := hall.Since(t.Context(), id, cleo, 0, 100)
		h.good(err)
		return lines(list)
	}
	all := []string{"sit person ben", "sit person anna", "kick person anna", "bot bot easy", "stand bot easy", "sit person cleo"}
	var heard []json.RawMessage
	for item, ok := reader.Take(); ok; item, ok = reader.Take() {
		if item.Number != news.Unnumbered {
			form, _, ok := Form(item.Body, game.Watcher)
			if !ok {
				t.Fatalf("entry %d has no form for watchers", item.Number)
			}
			heard = append(heard, form)
		}
	}
	is("as they happen", lines(heard), all...)
	is("afterwards", since(h.Hall), all...)
	is("after a restart", since(h.another()), "sit person ben", "sit person ", "kick person ", "bot bot easy", "stand bot easy", "sit person cleo")
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	is("without anna", since(h.Hall), "sit person ben", "sit person ", "kick person ", "bot bot easy", "stand bot easy", "sit person cleo")
}

// TestWhatIsToldOfLists: it is what lists say.
func TestWhatIsToldOfLists(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	reader := h.news.Subscribe(1000)
	for _, a := range people {
		_, err := reader.Watch(news.Account(a.ID), nil)
		h.good(err)
	}
	id := h.begun(settings("bosk", 2), people...)
	last := map[string]string{}
	for range 30 {
		h.move(id, people...)
	}
	for item, ok := reader.Take(); ok; item, ok = reader.Take() {
		_, data := SplitEvent(item.Body)
		last[item.Topic.String()] = string(data)
	}
	for seat, a := range people {
		list, err := h.Sitting(t.Context(), a, 10)
		h.good(err)
		var told Summary
		h.good(json.Unmarshal([]byte(last["person."+a.ID]), &told))
		list[0].Serial, told.Number, told.Changed = 0, list[0].Number, list[0].Changed // moves within a turn are not told
		one, err := json.Marshal(told)
		h.good(err)
		two, err := json.Marshal(list[0])
		h.good(err)
		if string(one) != string(two) || *told.You != game.Seat(seat) {
			t.Errorf("%s is told\n%s, and the list says\n%s", a.Name, one, two)
		}
	}
}

// FuzzForm: whatever bytes come as news, Form finds a form in them or does not.
func FuzzForm(f *testing.F) {
	f.Add([]byte{1, '{', '}'}, int8(0))
	f.Add([]byte{0, 2, 0, 2, 253, 2, '{', '}', '[', ']'}, int8(-3))
	f.Add([]byte{0, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, int8(1))
	f.Fuzz(func(t *testing.T, body []byte, viewer int8) {
		form, _, ok := Form(body, game.Seat(viewer))
		if ok && len(form) > len(body) {
			t.Errorf("a form of %d bytes in a body of %d", len(form), len(body))
		}
		SplitEvent(body)
	})
}
