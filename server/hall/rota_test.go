package hall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/bot"
)

// ask is a thought of a person "network/person" for a player at a table.
func ask(who, table, player string) *thought {
	network, person, _ := strings.Cut(who, "/")
	return &thought{table: table, network: network, person: person, cost: bot.Cost(player), dear: bot.Dear(player)}
}

// TestRota: thoughts come, "who table player" each, and are taken in this order.
func TestRota(t *testing.T) {
	for _, c := range []struct{ name, come, only, go_ string }{
		{"in the order in which they came", "a/1 x level:10, a/1 y level:10, a/1 z level:10", "", "x y z"},
		{"people share alike, however many tables they have", "a/1 u level:10, a/1 v level:10, a/1 w level:10, a/2 x level:10", "", "u x v w"},
		{"networks share alike, however many people they have", "a/1 u level:10, a/2 v level:10, a/3 w level:10, b/1 x level:10, b/1 y level:10", "", "u x v y w"},
		{"cheap before dear", "a/1 x level:10, a/1 y level:4, b/1 z level:1", "", "y z x"},
		{"only cheap ones where no other may go", "a/1 x level:10, a/1 y level:5, b/1 z level:4, b/2 w ahead", "cheap", "z"},
		{"what counts is what it costs", "a/1 u level:10, b/1 v level:8, b/1 w level:8, b/1 x level:8, a/1 y level:10", "", "u v w x y"},
		{"a table has one thought that waits", "a/1 x level:10, a/1 y level:10, a/1 x level:9", "", "x y"},
		{"which goes with whoever pays", "a/1 x level:10, a/1 y level:10, b/1 x level:10", "", "y x"},
	} {
		var q rota
		for _, text := range strings.Split(c.come, ", ") {
			f := strings.Fields(text)
			q.add(ask(f[0], f[1], f[2]))
		}
		var went []string
		for n := q.next(c.only != ""); n != nil; n = q.next(c.only != "") {
			went = append(went, n.table)
		}
		if got := strings.Join(went, " "); got != c.go_ {
			t.Errorf("%s: of %q go %q, not %q", c.name, c.come, got, c.go_)
		}
	}
}

// TestOneAtATimeGetsNoMore: a person who has one table and comes back at once
// shares alike with one who has many that wait.
func TestOneAtATimeGetsNoMore(t *testing.T) {
	var q rota
	for i := range 20 {
		q.add(ask("b/1", fmt.Sprint(i), "level:10"))
	}
	q.add(ask("a/1", "quick", "level:10"))
	went := 0
	for range 20 {
		if n := q.next(false); n.network == "a" {
			went++
			q.add(ask("a/1", "quick", "level:10"))
		}
	}
	if went != 10 {
		t.Errorf("of 20 turns it got %d", went)
	}
}

// TestNobodyIsForgottenAndNothingIsKept: however many new networks come, a thought
// that waits gets its turn, and what somebody was charged is remembered only while
// others are behind them.
func TestNobodyIsForgottenAndNothingIsKept(t *testing.T) {
	var q rota
	q.add(ask("always/1", "always", "level:10"))
	went := 0
	for i := range 500 {
		q.add(ask(fmt.Sprintf("%d/1", i), fmt.Sprint(i), "level:10"))
		for q.waiting() > 1 {
			if n := q.next(false); n.table == "always" {
				went++
				q.add(ask("always/1", "always", "level:10"))
			}
		}
	}
	if went < 200 {
		t.Errorf("while 500 came that were never here, one who waits got %d turns", went)
	}
	if n := len(q.dear.networks.all); n > 5 {
		t.Errorf("%d networks are remembered", n)
	}
}

// TestSharedAlike has thoughts come and go at random, and holds the rota to what
// they promise at every step:
//
//   - each thought goes once, those of a person in their order;
//   - no more than mostCheap cheap ones go while a dear one waits;
//   - as long as two networks have something that waits, neither gets more than
//     the other but for the price of a thought of each; likewise two people of a
//     network.
//
// From the last it follows that nobody waits for ever: between two turns of theirs,
// everybody else gets no more than that.
func TestSharedAlike(t *testing.T) {
	players := bot.Players()
	most := 0
	for _, p := range players {
		most = max(most, bot.Cost(p))
	}
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 12))
		var q rota
		var waits []*thought
		got := map[string]int{}      // what each pair of "class who" got of cost since both wait
		since := map[[2]string]int{} // what the first was ahead of the second when both began to wait
		cheap, serial := 0, 0
		names := func(n *thought) [2]string { // as whom it shares
			class := "cheap "
			if n.dear {
				class = "dear "
			}
			return [2]string{class + n.network, class + n.network + "/" + n.person}
		}
		wants := func(name string) bool {
			return slices.ContainsFunc(waits, func(n *thought) bool { s := names(n); return s[0] == name || s[1] == name })
		}
		alike := func(a, b string) bool { // they share with each other
			pa, pb := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
			return a != b && a[:4] == b[:4] && (pa < 0 && pb < 0 || pa >= 0 && pb >= 0 && a[:pa] == b[:pb])
		}
		for step := 0; step < 400; step++ {
			if serial < 250 && rng.IntN(5) < 3 || len(waits) == 0 {
				n := ask(fmt.Sprintf("%d/%d", rng.IntN(4), rng.IntN(3)), fmt.Sprint(serial), players[rng.IntN(len(players))])
				serial++
				for _, name := range names(n) {
					if !wants(name) { // from now on it is compared with all who wait
						for other := range got {
							if alike(name, other) {
								since[[2]string{name, other}], since[[2]string{other, name}] = got[name]-got[other], got[other]-got[name]
							}
						}
						got[name] += 0
					}
				}
				waits = append(waits, n)
				q.add(n)
				continue
			}
			only := rng.IntN(4) == 0
			n := q.next(only)
			if n == nil {
				if !only || slices.ContainsFunc(waits, func(n *thought) bool { return !n.dear }) {
					t.Fatalf("seed %d: %d wait, and none goes", seed, len(waits))
				}
				continue
			}
			i := slices.Index(waits, n)
			if i < 0 {
				t.Fatalf("seed %d: one goes twice", seed)
			}
			if first := slices.IndexFunc(waits, func(o *thought) bool { return names(o) == names(n) }); first != i {
				t.Fatalf("seed %d: the thoughts of one person are overtaken by each other", seed)
			}
			waits = slices.Delete(waits, i, i+1)
			switch dear := slices.ContainsFunc(waits, func(o *thought) bool { return o.dear }); {
			case n.dear && only:
				t.Fatalf("seed %d: a dear one goes where only cheap ones may", seed)
			case n.dear || !dear:
				cheap = 0
			case !only:
				if cheap++; cheap > mostCheap {
					t.Fatalf("seed %d: %d cheap ones go before a dear one", seed, cheap)
				}
			}
			for _, name := range names(n) {
				got[name] += n.cost
				for other := range got {
					if !alike(name, other) || !wants(other) {
						continue
					}
					if lead := got[name] - got[other] - since[[2]string{name, other}]; lead > 2*most {
						t.Fatalf("seed %d: %s is %d ahead of %s, which waits", seed, name, lead, other)
					}
				}
			}
		}
		if q.waiting() != len(waits) {
			t.Fatalf("seed %d: %d wait, not %d", seed, q.waiting(), len(waits))
		}
	}
}

// TestOnlyThoseAheadOfADearOneAreCounted: cheap thoughts that went while no dear one
// waited, or while another did that is not wanted any more, take nothing from those that
// may go before the next.
func TestOnlyThoseAheadOfADearOneAreCounted(t *testing.T) {
	var q rota
	q.add(ask("a/1", "dear", "level:10"))
	for i := range 3 * mostCheap {
		q.add(ask("b/1", fmt.Sprint(i), "level:1"))
	}
	for range mostCheap - 1 {
		q.next(false)
	}
	q.add(ask("a/1", "dear", "level:1")) // another bot sits there now
	q.next(false)
	q.add(ask("c/1", "later", "level:10"))
	for n := range mostCheap {
		if next := q.next(false); next.dear {
			t.Fatalf("after %d cheap ones a dear one goes", n)
		}
	}
	if next := q.next(false); next.table != "later" {
		t.Errorf("then %s goes", next.table)
	}
}
