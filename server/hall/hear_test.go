package hall

import (
	"encoding/json"
	"strings"
	"testing"

	"copse/game"
	"copse/news"
	"copse/table"
)

// TestAMoveAfterOneThatWasHeardAsksNobody: the two at a table are at different nodes.
// What one does the other's node has heard, and the store is asked for nothing but the
// append; where it was lost, the store is asked, and the move is made all the same.
func TestAMoveAfterOneThatWasHeardAsksNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	_, err := h.nodes[1].Look(t.Context(), id, people[1])
	h.good(err)
	last, turns, lost := 0, 0, 0 // the node at which the last move was made
	for n := 0; turns < 12; n++ {
		h.road.set(func() { h.road.loses = func(item news.Item) bool { return turns%4 == 3 && item.Number >= 0 } })
		p, after, err := h.nodes[last].Position(t.Context(), id, people[0])
		h.good(err)
		seat, moves := p.ToAct(), p.Moves()
		node := int(seat)
		h.stores[node].since()
		h.at(node).do(id, people[seat], play(after, moves[h.rng.IntN(len(moves))]))
		got, read := h.stores[node].since()
		asked := got["Heads"]+got["Table"]+got["Read"]+read > 0
		if asked {
			lost++
		}
		if node != last && asked != (turns%4 == 0 && turns > 0) {
			t.Errorf("move %d of node %d, after one of node %d, asks the store %v", n, node, last, got)
		}
		if node != last {
			turns++
		}
		last = node
	}
	if lost == 0 {
		t.Error("nothing was ever lost")
	}
}

// TestHalfAnAppendThatWasHeardIsNotDecidedOn: a move that chance follows arrives without
// what chance gave. Whoever moves after it is told what has overtaken them, as the store
// has it.
func TestHalfAnAppendThatWasHeardIsNotDecidedOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("grandbois", 2), people...)
	_, err := h.nodes[1].Look(t.Context(), id, people[1])
	h.good(err)
	for {
		p, after, err := h.nodes[0].Position(t.Context(), id, people[0])
		h.good(err)
		half := -1
		h.road.set(func() {
			h.road.loses = func(item news.Item) bool {
				if item.Number == news.Unnumbered {
					return false
				}
				e, err := table.ReadEntry(item.Raw)
				h.good(err)
				if e.Do == table.Drawn {
					half = item.Number - 1
				}
				return e.Do == table.Drawn
			}
		})
		h.at(0).do(id, people[p.ToAct()], play(after, p.Moves()[0]))
		h.road.set(func() { h.road.loses = nil })
		if half < 0 {
			continue
		}
		now, _, err := h.nodes[0].Position(t.Context(), id, people[0])
		h.good(err)
		seat := now.ToAct()
		_, err = h.nodes[1].Do(t.Context(), id, Request{By: people[seat], Want: play(half, now.Moves()[0])})
		h.refused("table.overtaken", err)
		h.at(1).do(id, people[seat], play(h.nodes[1].rooms[id].t.Last(), now.Moves()[0]))
		return
	}
}

// TestListsAreToldHereWhereTheyWereLost: what lists say of a table is told by the node
// that made the move; where that is lost, by the one that notices it, to whoever listens
// there.
func TestListsAreToldHereWhereTheyWereLost(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	look := func() {
		t.Helper()
		_, err := h.nodes[1].Look(t.Context(), id, people[1])
		h.good(err)
	}
	look()
	reader := h.nodes[1].Listen(1000)
	_, err := reader.Watch(news.Account(people[1].ID), nil)
	h.good(err)
	h.road.set(func() { h.road.loses = func(item news.Item) bool { return item.State != "" } })
	for turn := h.nodes[0].rooms[id].t.Turn(); h.nodes[0].rooms[id].t.Turn() == turn; {
		h.at(0).move(id, people...)
	}
	look()
	var mine Summary
	h.event(reader, "mine", &mine)
	if s := mine; s.Table != id || s.You == nil || *s.You != 1 || s.Turn != 1 || s.Who[0].Name != "anna" {
		t.Errorf("the list says %+v", mine)
	}
}

// TestASummaryIsWrittenAsJSONWritesIt, which would take longer.
func TestASummaryIsWrittenAsJSONWritesIt(t *testing.T) {
	t.Parallel()
	for _, s := range []Summary{
		{Table: "oak", Phase: "lobby", Settings: json.RawMessage(`{"game":"bosk"}`), Seats: json.RawMessage(`[]`), Who: []*Who{}, ToAct: []game.Seat{}},
		{Table: "oak", Serial: 7, Changed: 1_767_859_200_000, Number: 12, Phase: "play", Settings: json.RawMessage(`{"game":"bosk"}`), Seats: json.RawMessage(`[{"held":"human"}]`),
			Who: []*Who{{Name: "Zoë <3 \"&\""}, nil, {Name: "robot", Program: true}}, ToAct: []game.Seat{2}, Turn: 5, Until: 1_767_859_300_000},
	} {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.append(nil)) + `"yourTurn":false}`; got != strings.TrimSpace(string(want)) {
			t.Errorf("written\n%s, want\n%s", got, want)
		}
	}
}
