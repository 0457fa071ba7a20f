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
