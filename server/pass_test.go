package server

import (
	"testing"
	"time"

	"copse/store"
)

// TestAPassThatIsLookedUpWhileItsOwnerSignsOut: it is not trusted afterwards.
func TestAPassThatIsLookedUpWhileItsOwnerSignsOut(t *testing.T) {
	p, now := newPasses(), time.UnixMilli(0)
	pass := store.Pass{Digest: store.DigestOf("secret"), Kind: store.Session, Account: "anna"}
	_, before, _ := p.find(pass.Digest, now)
	p.forget("anna") // who has read it in the store a moment ago does not know
	p.keep(pass, now, before)
	if _, _, ok := p.find(pass.Digest, now); ok {
		t.Error("it is trusted")
	}
	_, before, _ = p.find(pass.Digest, now)
	p.keep(pass, now, before)
	if got, _, ok := p.find(pass.Digest, now); !ok || got.Account != "anna" {
		t.Errorf("a pass that is good is not remembered: %+v", got)
	}
}

// TestWhichPassesAreDue: sessions that were used since they were looked up and will be
// looked up again soon; nobody's twice, no token, and none of whom it is in doubt
// whether they are still good.
func TestWhichPassesAreDue(t *testing.T) {
	p, now := newPasses(), time.UnixMilli(0)
	p.trust = trustSeldom
	add := func(secret string, kind store.Kind, used bool) store.Digest {
		d := store.DigestOf(secret)
		p.keep(store.Pass{Digest: d, Kind: kind, Account: secret}, now, 0)
		if used {
			p.find(d, now)
		}
		return d
	}
	anna := add("anna", store.Session, true)
	add("ben", store.Session, true)
	add("idle", store.Session, false)
	add("program", store.Token, true)
	if list := p.due(anna, now.Add(trustSeldom-soon)); len(list) != 1 || list[0] != anna {
		t.Errorf("long before they are looked up, %d are due", len(list))
	}
	late := now.Add(trustSeldom - soon + 1)
	if list := p.due(anna, late); len(list) != 2 || list[0] != anna || list[1] != store.DigestOf("ben") {
		t.Errorf("%d are due, not anna and ben", len(list))
	}
	if list := p.due(anna, late); len(list) != 1 {
		t.Errorf("%d are due, though one is being looked up", len(list))
	}
	p.find(store.DigestOf("ben"), now)
	p.forget("ben")
	if list := p.due(anna, late); len(list) != 1 {
		t.Errorf("%d are due, and one is in doubt", len(list))
	}
	for i := range 2 * mostSoon {
		d := store.Digest{1, byte(i), byte(i >> 8)}
		p.known[d] = &trusted{pass: store.Pass{Digest: d, Kind: store.Session}, till: now.Add(1), used: true}
	}
	if list := p.due(anna, late); len(list) != mostSoon {
		t.Errorf("%d of very many are due, not %d", len(list), mostSoon)
	}
}
