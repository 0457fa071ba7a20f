package hall

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"copse/news"
	"copse/store"
	"copse/table"
)

// shy is a store that, while it is in trouble, tells nobody's name.
type shy struct {
	store.Store
	err error
}

func (s *shy) Account(ctx context.Context, id string) (store.Account, error) {
	if s.err != nil {
		return store.Account{}, s.err
	}
	return s.Store.Account(ctx, id)
}

// TestTroubleIsNotSomebodyWhoIsNoMore: while names cannot be read, a client that
// asks for them is told of trouble, and what happens is told without names; the
// names follow when they can be read. A person who is deleted has no name.
func TestTroubleIsNotSomebodyWhoIsNoMore(t *testing.T) {
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	id := h.table(settings("bosk", 3))
	h.sit(id, anna, ben)
	reader := h.Listen(100)
	_, err := h.Follow(t.Context(), id, cleo, reader)
	h.good(err)
	heard := func() (all []string) { // entries as they are told, and names
		for item, ok := reader.Take(); ok; item, ok = reader.Take() {
			if item.Number == news.Unnumbered {
				if event, data := SplitEvent(item.Body); event == "who" {
					all = append(all, string(data))
				}
				continue
			}
			form, _, _ := Form(item.Body, -1)
			if form == nil {
				form = item.Body[1:]
			}
			all = append(all, string(form))
		}
		return all
	}
	heard()
	broken := &shy{Store: h.db, err: &store.Damage{}}
	h.store = broken
	for _, a := range []Account{anna, ben, cleo} {
		h.forget(a.ID)
	}
	trouble := func(what string, err error) {
		t.Helper()
		var damage *store.Damage
		if !errors.As(err, &damage) {
			t.Errorf("%s it is answered by %v", what, err)
		}
	}
	_, err = h.Look(t.Context(), id, cleo)
	trouble("a look:", err)
	_, err = h.Since(t.Context(), id, cleo, 0, 10)
	trouble("entries:", err)
	_, err = h.Sitting(t.Context(), anna, 10)
	trouble("a list:", err)
	_, err = h.Open(t.Context(), anna, "", 0, 10)
	trouble("open tables:", err)
	_, err = h.Follow(t.Context(), id, Account{}, h.Listen(1))
	trouble("a stream:", err)
	if crowd := h.crowd.of(id); crowd[""] != 0 {
		t.Errorf("who was not let in looks on: %v", crowd)
	}

	h.sit(id, cleo)
	told := heard()
	if len(told) != 1 || strings.Contains(told[0], `"who"`) || strings.Contains(told[0], `"called"`) || !strings.Contains(told[0], `"do":"sit"`) {
		t.Errorf("in trouble it is told %q", told)
	}
	broken.err = nil
	_, err = h.Look(t.Context(), id, cleo)
	h.good(err)
	told = heard()
	var named Named
	if len(told) != 1 || json.Unmarshal([]byte(told[0]), &named) != nil || len(named.Who) != 3 || named.Who[0] == nil || named.Who[0].Name != "anna" || named.Who[2].Name != "cleo" {
		t.Errorf("after the trouble it is told %q", told)
	}
	_, err = h.Look(t.Context(), id, cleo)
	h.good(err)
	if told = heard(); len(told) != 0 {
		t.Errorf("once is enough: %q", told)
	}

	// The same where the room was thrown away meanwhile.
	broken.err = &store.Damage{}
	for _, a := range []Account{anna, ben, cleo} {
		h.forget(a.ID)
	}
	h.do(id, cleo, func(p table.Person) table.Command { return table.Leave{Person: p} })
	heard()
	r, err := h.enter(t.Context(), id)
	h.good(err)
	r.discard()
	r.leave()
	broken.err = nil
	for range 2 {
		_, err = h.Look(t.Context(), id, cleo)
		h.good(err)
	}
	if told = heard(); len(told) != 1 || !strings.Contains(told[0], `"who":[{"name":"anna","guest":true},{"name":"ben","guest":true},null]`) {
		t.Errorf("after the room was opened again it is told %q", told)
	}
}
