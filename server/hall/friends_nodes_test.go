package hall

import (
	"testing"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// TestWhoIsHereAtOtherNodes: a person is here wherever they listen, once however many
// nodes that is, and no longer when their node is gone.
func TestWhoIsHereAtOtherNodes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 3)
	anna, ben := h.account("anna"), h.account("ben")
	h.befriended(anna, ben)
	h.good(h.Show(t.Context(), ben, true))
	h.passes(2 * time.Second) // they know each other
	leave := h.nodes[1].Arrive(ben)
	elsewhere := h.nodes[2].Arrive(ben)
	h.nodes[0].Arrive(anna)
	here := func(what string, want bool, people int) {
		t.Helper()
		if list := h.friendsAre(anna, "ben"); list[0].Here != want {
			t.Errorf("%s: ben is here: %v", what, list[0].Here)
		}
		for i, node := range h.nodes {
			if got := node.countHere(); got != people {
				t.Errorf("%s: node %d counts %d people, not %d", what, i, got, people)
			}
		}
	}
	here("he has come", true, 2)
	leave()
	h.passes(time.Second)
	here("he listens at one node", true, 2)
	elsewhere()
	h.passes(time.Second)
	here("he has left", false, 1)
	h.nodes[2].Arrive(ben)
	h.passes(2 * time.Minute) // it is told again and again
	here("he stays", true, 2)
	h.passes(peerTime+2*time.Second, 2)
	if list := h.friendsAre(anna, "ben"); list[0].Here {
		t.Error("ben is here though his node is dead")
	}
	h.passes(2 * time.Second)
	here("it was only slow", true, 2)
}

// TestABlockHoldsAtAllNodes, also at one that knew better a moment ago, and at one that
// hears nothing soon after.
func TestABlockHoldsAtAllNodes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna, ben := h.account("anna"), h.account("ben")
	id := h.table(settings("bosk", 3))
	h.sit(id, anna)
	sees := func(want int) {
		t.Helper()
		list, err := h.nodes[1].Open(t.Context(), ben, "", 0, 10)
		h.good(err)
		if len(list) != want {
			t.Errorf("ben sees %d tables, not %d", len(list), want)
		}
	}
	sees(1)
	h.good(h.Block(t.Context(), anna, ben))
	sees(0)
	_, err := h.nodes[1].Sit(t.Context(), id, ben, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
	h.refused("server.apart", err)
	list, err := h.Blocks(t.Context(), anna)
	h.good(err)
	h.ends[1].cut(true)
	h.good(h.Unblock(t.Context(), anna, list[0].Friend))
	h.wait(knownTime)
	sees(1)
}

// TestTheLiveliestGameOfAllNodes: who plays and who looks on counts wherever they are.
func TestTheLiveliestGameOfAllNodes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	id := h.begun(settings("bosk", 2), anna, ben)
	h.follows(1, id, anna)
	h.follows(1, id, cleo)
	h.passes(liveEvery)
	house, err := h.nodes[0].House(t.Context(), Account{})
	h.good(err)
	if house.Watch == nil || house.Watch.Table != id || house.Lookers != 1 {
		t.Errorf("node 0 tells %+v", house)
	}
}
