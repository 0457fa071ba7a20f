package halltest

import (
	"sync"
	"testing"
)

// named is a run of a test with this name.
type named struct {
	testing.TB
	name string
}

func (n *named) Name() string { return n.name }

// TestATestDrawsTheSameEveryTime: whenever it runs, and nothing twice: neither another
// test nor another hall of the same one draws that, nor for another use.
func TestATestDrawsTheSameEveryTime(t *testing.T) {
	run := func(name string) (all [8][8]byte) {
		test := &named{t, name}
		one, two := Random(test), Random(test)
		for i := range all {
			from, use := one, "id"
			if i&1 != 0 {
				from = two
			}
			if i&2 != 0 {
				use = "secret"
			}
			from(use, all[i][:])
		}
		return all
	}
	first, other := run("TestOne"), run("TestOther")
	if first != run("TestOne") {
		t.Error("it draws something else the second time")
	}
	seen := map[[8]byte]bool{}
	for _, one := range append(first[:], other[:]...) {
		if seen[one] {
			t.Errorf("%x is drawn twice", one)
		}
		seen[one] = true
	}
}

// TestTheOrderOfUsesDoesNotMatter: who draws for another use at the same time changes
// nothing.
func TestTheOrderOfUsesDoesNotMatter(t *testing.T) {
	var alone, beside [64][8]byte
	random := Random(&named{t, "TestOne"})
	for i := range alone {
		random("id", alone[i][:])
	}
	random = Random(&named{t, "TestOne"})
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			var raw [8]byte
			for range 200 {
				random("secret", raw[:])
			}
		})
	}
	for i := range beside {
		random("id", beside[i][:])
	}
	others.Wait()
	if alone != beside {
		t.Error("it draws something else beside others")
	}
}
