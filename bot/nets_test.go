package bot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/game/net"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// madeNet is a net of 64 and 32 neurons whose weights were drawn and not learned.
func madeNet(trained string, seats, inputs int) []byte {
	return drawnNet(7, trained, seats, inputs)
}

// drawnNet is such a net, another for every seed.
func drawnNet(seed uint64, trained string, seats, inputs int) []byte {
	rng := rand.New(rand.NewPCG(1, seed))
	raw := fmt.Appendf(nil, "copse net\n"+`{"format":1,"for":%q,"seats":%d,"origin":"drawn","inputs":%d,"first":64,"second":32,"outputs":4,"shiftOne":4,"shiftTwo":6}`+"\n", trained, seats, inputs)
	words := func(n, bytes, within int) {
		for range n {
			x := rng.IntN(2*within+1) - within
			for b := range bytes {
				raw = append(raw, byte(x>>(8*b)))
			}
		}
	}
	words(inputs*64, 2, 8)
	words(64, 4, 100)
	words(64*32, 1, 20)
	words(32, 4, 100)
	words(32*4, 1, 20)
	words(4, 4, 100)
	return binary.LittleEndian.AppendUint32(raw, crc32.ChecksumIEEE(raw))
}

// withNet has players judge by a net that fits, as long as a test runs.
func withNet[S, M comparable](t testing.TB, def game.Definition[S, M], seats int) game.Playable[S, M] {
	t.Helper()
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	f := rules.(game.Featurer[S])
	s := rules.Start()
	if err := AddNet(madeNet(f.Trained(), seats, len(f.Features(&s, 0, nil)))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { forget(f.Trained(), seats) })
	return rules
}

// forget has nobody judge by a net any more.
func forget(trained string, seats int) {
	nets.Lock()
	defer nets.Unlock()
	delete(nets.known, netKey{trained, seats})
	delete(nets.former, netKey{trained, seats})
}

// strolls plays some games at random and shows every position with nobody's chance to
// come.
func strolls[S, M comparable](r game.Playable[S, M], games int, show func(s *S)) {
	rng := rand.New(rand.NewPCG(5, uint64(r.Seats())))
	var moves []M
	for range games {
		s := r.Start()
		for r.ToAct(&s) != game.None {
			if r.ToAct(&s) != game.Chance {
				show(&s)
			}
			moves = r.Moves(&s, r.ToAct(&s), moves[:0])
			r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
		}
		show(&s)
	}
}

// TestFeatures: they are always as many, within what a net takes, the same for a seat
// whoever looks, and neither change what they are counted of nor allocate.
func TestFeatures(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		counts(t, bosk.Game(), seats, 46)
		counts(t, grandbois.Game(), seats, 21)
		counts(t, treesociety.Game(), seats, 54)
	}
}

func counts[S, M comparable](t *testing.T, def game.Definition[S, M], seats, each int) {
	t.Helper()
	r, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	f := r.(game.Featurer[S])
	blank := r.Start()
	all := len(f.Features(&blank, 0, nil))
	if all <= seats*each {
		t.Fatalf("%s: %d numbers for %d seats", def.Name, all, seats)
	}
	differs := make([]bool, all)
	var first, own []int16
	strolls(r, 12, func(s *S) {
		before := *s
		first = f.Features(s, 0, first[:0])
		for seat := range game.Seat(seats) {
			own = f.Features(s, seat, append(own[:0], 7))
			switch {
			case own[0] != 7 || len(own) != 1+all:
				t.Fatalf("%s: %d numbers are appended where there were %d", def.Name, len(own)-1, all)
			case *s != before:
				t.Fatalf("%s: they change the position", def.Name)
			}
			own = own[1:]
			for i, x := range own {
				if x < -net.Largest || x > net.Largest {
					t.Fatalf("%s: number %d is %d", def.Name, i, x)
				}
				differs[i] = differs[i] || x != own[0] && x != 0
			}
			for other := range seats { // who is so many seats after this one
				at := (int(seat) + other) % seats
				if !slices.Equal(own[other*each:][:each], first[at*each:][:each]) {
					t.Fatalf("%s: of seat %d seat 0 counts %v and seat %d %v", def.Name, at, first[at*each:][:each], seat, own[other*each:][:each])
				}
			}
			if !slices.Equal(own[seats*each:], first[seats*each:]) {
				t.Fatalf("%s: what all share is %v to seat 0 and %v to seat %d", def.Name, first[seats*each:], own[seats*each:], seat)
			}
		}
	})
	if n := testing.AllocsPerRun(20, func() { own = f.Features(&blank, 0, own[:0]) }); n != 0 {
		t.Errorf("%s: %v allocations", def.Name, n)
	}
	if seen := len(slices.DeleteFunc(differs, func(d bool) bool { return !d })); seen < all*3/4 {
		t.Errorf("%s: only %d of %d numbers ever are another than 0", def.Name, seen, all)
	}
}

// TestNetsKnowWhatTheyWereTrainedOn: what is counted under a name stays the same. Where
// this fails nets judge by numbers that mean something else now: give what Trained says
// another number, train anew (train/README.md), and then write down what is printed.
func TestNetsKnowWhatTheyWereTrainedOn(t *testing.T) {
	t.Parallel()
	for seats := 2; seats <= 4; seats++ {
		sameAs(t, bosk.Game(), seats, 0, "bosk 1", [...]uint64{2: 0x2a8fafb47b61b831, 3: 0x8530f3fa8df134cb, 4: 0x57c8e0c91ab83ab5}[seats])
		sameAs(t, grandbois.Game(), seats, 0, "grandbois 1", [...]uint64{2: 0xd4fe07585e8b9409, 3: 0x7e084eb6fe1959cc, 4: 0x7e06d7befec9a9b5}[seats])
		sameAs(t, treesociety.Game(), seats, 4, "treesociety 4 1", [...]uint64{2: 0x131053187bd3082d, 3: 0x5a220e573ee2bd6d, 4: 0xefdfb7e7ba46bf69}[seats])
	}
}

func sameAs[S, M comparable](t *testing.T, def game.Definition[S, M], seats, version int, trained string, want uint64) {
	t.Helper()
	r, err := def.Rules(game.Settings{Seats: seats, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	f := r.(game.Featurer[S])
	sum := fnv.New64a()
	var buf []int16
	strolls(r, 6, func(s *S) {
		for seat := range game.Seat(seats) {
			buf = f.Features(s, seat, buf[:0])
			_ = binary.Write(sum, binary.LittleEndian, buf)
		}
	})
	if f.Trained() != trained || sum.Sum64() != want {
		t.Errorf("%s, %d seats: %q counts %#x and counted %#x", def.Name, seats, f.Trained(), sum.Sum64(), want)
	}
}

// TestANetFitsWhereItWasTrained: elsewhere there is none, and players judge without.
func TestANetFitsWhereItWasTrained(t *testing.T) {
	wood, trees := grandbois.Game(), treesociety.Game()
	withNet(t, wood, 2)
	fits := func(seats int, options string) bool {
		t.Helper()
		r, err := wood.Rules(game.Settings{Seats: seats, Options: game.RawMessage(options)})
		if err != nil {
			t.Fatal(err)
		}
		return netFor(r, false) != nil
	}
	if !fits(2, `{}`) || !fits(2, `{"expert":true}`) {
		t.Error("it does not fit where it was trained, or not the expert game")
	}
	if fits(3, `{}`) {
		t.Error("it fits another number of seats")
	}
	box, err := wood.Box(game.RawMessage(`{"about":"mine"}`))
	if err != nil {
		t.Fatal(err)
	}
	if fits(2, `{"box":`+string(box)+`}`) {
		t.Error("it fits a box that somebody brings")
	}
	if err := AddNet(madeNet("grandbois 1", 2, 45)); err != nil || fits(2, `{}`) {
		t.Errorf("a net of another number of inputs fits: %v", err)
	}
	if err := AddNet([]byte("copse net\n")); !errors.Is(err, net.ErrDamaged) {
		t.Errorf("half a net is taken: %v", err)
	}
	tree, err := trees.Rules(game.Settings{Seats: 2, Options: game.RawMessage(`{"banners":7}`)})
	if err != nil || tree.(game.Featurer[treesociety.Position]).Trained() != "" {
		t.Errorf("nets of Tree Society are for other options too: %v", err)
	}
	old, err := trees.Rules(game.Settings{Seats: 2, Version: 3})
	if err != nil || old.(game.Featurer[treesociety.Position]).Trained() != "" {
		t.Errorf("nets of Tree Society are for the first printing too: %v", err)
	}
}

// TestNetsAreForTheUsualBox: whoever brings another is judged for without one, and who
// names the usual one by its hash gets it.
func TestNetsAreForTheUsualBox(t *testing.T) {
	usualAlone(t, bosk.Game())
	usualAlone(t, grandbois.Game())
	usualAlone(t, treesociety.Game())
}

func usualAlone[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	t.Helper()
	trained := func(options string) string {
		r, err := def.Rules(game.Settings{Seats: 2, Options: game.RawMessage(options)})
		if err != nil {
			t.Fatalf("%s: %v", def.Name, err)
		}
		return r.(game.Featurer[S]).Trained()
	}
	box, err := def.Box(game.RawMessage(`{"about":"mine"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := trained(`{"box":` + string(box) + `}`); got != "" {
		t.Errorf("%s: nets %q are for a box that somebody brings", def.Name, got)
	}
	for _, o := range def.Options {
		if o.Name == "box" {
			if hash := fmt.Sprint(o.Default); trained(`{"box":"`+hash+`"}`) == "" {
				t.Errorf("%s: no net is for the usual box by its hash", def.Name)
			}
		}
	}
}

// TestANetJudgesSoManyTurnsOn: a playout goes as far and no further, what the net says of
// where it stops is what it brings, and the end of a game needs no net.
func TestANetJudgesSoManyTurnsOn(t *testing.T) {
	stopsWhere(t, grandbois.Game(), 4)
	stopsWhere(t, treesociety.Game(), 3)
	stopsWhere(t, bosk.Game(), 2)
}

func stopsWhere[S, M comparable](t *testing.T, def game.Definition[S, M], far int) {
	t.Helper()
	rules := withNet(t, def, 2)
	late := func(turn int) *searcher[S, M] {
		f, moves := flatterAt(t, def, 2, func(r game.Rules[S, M], s *S) bool { return r.Turn(s) >= turn && r.ToAct(s) >= 0 })
		e := efforts()[6]
		e.far, e.trusting = far, true
		x := newSearcher(f.mind, &e)
		x.believe()
		x.outline(moves)
		return x
	}
	x := late(2)
	for n := range uint64(20) {
		l := &x.found[n%uint64(len(x.found))].line
		from := x.rules.Turn(&x.view)
		got := x.playout(l, n)
		if turns := x.rules.Turn(&x.s) - from; turns < far || turns > far+1 {
			t.Fatalf("%s: it stopped after %d turns and not %d", def.Name, turns, far)
		}
		said := netFor(rules, false).foretell(&x.s, x.seat)
		if want := parts(said.Win); got.wins != want || got.margin != parts(said.Lead) || got.reward != want+parts(x.point*said.Lead) {
			t.Fatalf("%s: %+v where the net says %+v", def.Name, got, said)
		}
	}
}

// TestStoredNets: the nets that come with Copse, and those by which no level judges, can be read, are named after what they are
// for, fit it, and are those of which train/README.md tells.
func TestStoredNets(t *testing.T) {
	files, err := filepath.Glob("../nets/*.net")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no nets: %v", err)
	}
	others, err := filepath.Glob("../train/nets/*.net")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, others...)
	told, err := os.ReadFile("../train/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".net")
		if sum := fmt.Sprintf("%x", sha256.Sum256(raw)); !bytes.Contains(told, []byte("`"+name+"`")) || !bytes.Contains(told, []byte("`"+sum[:16]+"`")) {
			t.Errorf("train/README.md does not tell of %s, %s", name, sum[:16])
		}
		n, err := net.New(raw)
		if err != nil || AddNet(raw) != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := netName(n.For, n.Seats); name != want {
			t.Errorf("%s is for %s", name, want)
		}
		fits := false
		switch of, _, _ := strings.Cut(name, "-"); of {
		case "bosk":
			fits = fitting(t, bosk.Game(), n.Seats, 0)
		case "grandbois":
			fits = fitting(t, grandbois.Game(), n.Seats, 0)
		case "treesociety":
			fits = !fitting(t, treesociety.Game(), n.Seats, 4) && fitting(t, treesociety.Game(), n.Seats, 0)
		}
		if !fits {
			t.Errorf("%s does not fit", name)
		}
	}
}

// fitting tells whether there is a net for a version of a game, and then forgets it.
func fitting[S, M comparable](t *testing.T, def game.Definition[S, M], seats, version int) bool {
	t.Helper()
	r, err := def.Rules(game.Settings{Seats: seats, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	j := netFor(r, false)
	if j != nil {
		forget(r.(game.Featurer[S]).Trained(), seats)
	}
	return j != nil
}

// TestLevelsWithoutANetThatFits: who would judge by a net and has none chooses as ever.
func TestLevelsWithoutANetThatFits(t *testing.T) {
	f, _ := flatterAt(t, bosk.Game(), 3, func(r game.Rules[bosk.Position, bosk.Move], s *bosk.Position) bool {
		return r.Turn(s) >= 20 && r.ToAct(s) >= 0
	})
	lines := func(player string) string {
		choose, err := find[bosk.Position, bosk.Move](player)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(choose(newMind(t.Context(), f.rules, f.record, "oak")))
	}
	all := []string{"level:5", "level:8", "level:8/far=4", "level:8/far=0", "level:8/budget=80", "level:8/budget=501/far=8", "level:9/budget=20", "level:9/budget=20/hunch=0", "level:10/budget=20", "level:10/budget=20/budget=10", "level:10/budget=20/far=0/hunch=0"}
	without := map[string]string{}
	for _, player := range all {
		without[player] = lines(player)
	}
	if without["level:8"] != without["level:8/far=4"] || without["level:8"] != without["level:8/far=0"] {
		t.Error("without a net it chooses otherwise")
	}
	withNet(t, bosk.Game(), 3)
	asking := []string{"level:8/far=4", "level:8/budget=501/far=8", "level:9/budget=20", "level:10/budget=20", "level:10/budget=20/budget=10"} // levels trust nets as far as the game says, whatever budget a trial gives them, or where it says so
	for _, player := range all {
		if got := lines(player); (got != without[player]) != slices.Contains(asking, player) {
			t.Errorf("%s: it asks a net %v", player, got != without[player])
		}
	}
}

// TestGenerations: when another net comes, a trial may go on judging by the one before.
func TestGenerations(t *testing.T) {
	f, _ := flatterAt(t, bosk.Game(), 3, func(r game.Rules[bosk.Position, bosk.Move], s *bosk.Position) bool {
		return r.Turn(s) >= 20 && r.ToAct(s) >= 0
	})
	net := func(player string) uint32 {
		e, ok := level(player)
		if !ok {
			t.Fatalf("%s is no player", player)
		}
		return newSearcher(newMind(t.Context(), f.rules, f.record, "oak"), e).netSum
	}
	withNet(t, bosk.Game(), 3)
	first := net("level:10")
	if first == 0 || net("level:10/former=1") != 0 || net("level:10/former=0") != first {
		t.Errorf("of one net: %x, and before it %x", first, net("level:10/former=1"))
	}
	g := Of(bosk.Game())
	p, err := g.Start(game.Settings{Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	refused := func(player string) bool {
		_, err := g.Think(t.Context(), p, Ask{Player: player, Seed: "oak"})
		var fault *game.Fault
		early := g.Ready(p, player)
		if (err == nil) != (early == nil) || err != nil && early.Error() != err.Error() {
			t.Errorf("%s is told %v before it plays, and %v when it is to play", player, early, err)
		}
		return errors.As(err, &fault) && fault.Key == "bot.former"
	}
	withNet(t, bosk.Game(), 3) // it comes again
	if !refused("level:2/far=8/former=1") || !refused("level:10/former=1") || refused("level:2/far=0/former=1") || refused("level:2/former=0") {
		t.Error("who would judge by the net before the only one is not told that there is none, or others are")
	}
	features := f.rules.(game.Featurer[bosk.Position])
	s := f.rules.Start()
	if err := AddNet(drawnNet(8, features.Trained(), 3, len(features.Features(&s, 0, nil)))); err != nil {
		t.Fatal(err)
	}
	if second := net("level:10"); second == first || second == 0 || net("level:10/former=1") != first || net("level:8/former=1") != first {
		t.Errorf("of two nets: %x, and before it %x, and for who is not trusted %x", second, net("level:10/former=1"), net("level:8/former=1"))
	}
	if refused("level:2/far=8/former=1") {
		t.Error("there is a net before the last one, and it is refused")
	}
}

// TestMinds: what levels play a game by has another sum when a level thinks otherwise, or a
// net comes, goes or follows another, or the game has nets asked otherwise; who is no level
// has none, and nets of other games are nobody's business.
func TestMinds(t *testing.T) {
	ofBosk := func(players ...string) string {
		return Minds[bosk.Position, bosk.Move]("bosk", players, startOf(t, bosk.Game()))
	}
	ofGrandBois := func() string {
		return Minds[grandbois.Position, grandbois.Move]("grandbois", []string{"level:1"}, startOf(t, grandbois.Game()))
	}
	if sum := ofBosk(Greedy, Veteran, "flat:30"); sum != "" {
		t.Errorf("who is no level plays by %q", sum)
	}
	without, other := ofBosk(Random, "level:2"), ofGrandBois()
	rules := withNet(t, bosk.Game(), 3)
	with := ofBosk("level:9/far=6", Random)
	s := rules.Start()
	if err := AddNet(drawnNet(8, "bosk 1", 3, len(rules.(game.Featurer[bosk.Position]).Features(&s, 0, nil)))); err != nil {
		t.Fatal(err)
	}
	second := ofBosk("level:9")
	nets.Lock()
	delete(nets.former, netKey{"bosk 1", 3})
	nets.Unlock()
	alone := ofBosk("level:9")
	if ofGrandBois() != other {
		t.Error("a net of Bosk changes the minds of GrandBois")
	}
	withNet(t, bosk.Game(), 2)
	withNet(t, bosk.Game(), 4)
	all := ofBosk("level:1")
	for range 30 { // maps have another order each time
		if again := ofBosk("level:1"); again != all {
			t.Fatalf("the same nets are %q and %q", all, again)
		}
	}
	forget("bosk 1", 2)
	forget("bosk 1", 4)
	forget("bosk 1", 3)
	if again := ofBosk("level:1"); again != without {
		t.Errorf("without a net %q, and without it again %q", without, again)
	}
	changed := efforts()
	changed[4].budget++
	sums := []string{"", without, with, second, alone, mindsOf(changed, []string{saidOf(rules)}, nil, nil)}
	for _, says := range []saying{{trained: "bosk 2", least: 1, most: 2, reach: 3, hunch: 4, slight: 1, part: 1}, {"bosk 1", 1, 2, 3, 4, 1, 1}, {"bosk 1", 0, 2, 3, 4, 1, 1}, {"bosk 1", 1, 3, 3, 4, 1, 1}, {"bosk 1", 1, 2, 8, 4, 1, 1}, {"bosk 1", 1, 2, 3, 40, 1, 1}, {"bosk 1", 1, 2, 3, 4, 2, 1}, {"bosk 1", 1, 2, 3, 4, 1, 2}} {
		sums = append(sums, Minds[bosk.Position, bosk.Move]("bosk", []string{"level:9"}, startOf(t, says.bosk())))
	}
	two, err := game.Of(bosk.Game()).Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	sums = append(sums, Minds[bosk.Position, bosk.Move]("bosk", []string{"level:9"}, two))
	want := len(sums)
	slices.Sort(sums)
	if sums = slices.Compact(sums); len(sums) != want {
		t.Errorf("of %d some are the same: %q without a net, %q with one, %q with two, %q with the second alone, or with another effort, or as the game says", want, without, with, second, alone)
	}
}

// startOf is where a game of three begins.
func startOf[S, M comparable](t *testing.T, def game.Definition[S, M]) game.Position {
	t.Helper()
	p, err := game.Of(def).Start(game.Settings{Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// saying is what a game may say of nets.
type saying struct {
	trained                   string
	least, most, reach, hunch int
	slight                    int // what a hunch counts for below the best level
	part                      int // of their time suffices
}

// bosk is the game that says so.
func (s saying) bosk() game.Definition[bosk.Position, bosk.Move] {
	def := bosk.Game()
	made := def.New
	def.New = func(seats int, options game.RawMessage, version int) (game.Playable[bosk.Position, bosk.Move], error) {
		r, err := made(seats, options, version)
		if err != nil {
			return nil, err
		}
		return said{r.(*bosk.Rules), s}, nil
	}
	return def
}

type said struct {
	*bosk.Rules
	says saying
}

func (s said) Trained() string            { return s.says.trained }
func (s said) Trusted() (least, most int) { return s.says.least, s.says.most }
func (s said) Reach() int                 { return s.says.reach }
func (s said) Hunch(budget int) int {
	if budget < 500 {
		return s.says.slight
	}
	return s.says.hunch
}
func (s said) Suffices(budget int) int { return budget / s.says.part }

// TestErrandsSayByWhichNet: a net may come while somebody thinks. Who has it does without
// for those who began before it came, and who has not does not do as if.
func TestErrandsSayByWhichNet(t *testing.T) {
	g := Of(bosk.Game())
	p, err := g.Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	ask := Ask{Player: "level:7/far=4", Seed: "oak"}
	begin := func() (game.RawMessage, func()) {
		under, err := g.Begin(t.Context(), p, ask, 1)
		if err != nil {
			t.Fatal(err)
		}
		return under.Errands()[0], under.Stop
	}
	helper := func() Helper {
		h, err := g.Helper(p, ask)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	do := func(h Helper, errand game.RawMessage) string {
		report, _, err := h.Do(t.Context(), errand)
		if err != nil {
			return err.Error()
		}
		return string(report)
	}
	early, stop := begin()
	defer stop()
	without := helper()
	want := do(without, early)
	if !strings.Contains(want, "sums") {
		t.Fatal(want)
	}
	withNet(t, bosk.Game(), 2)
	late, stop := begin()
	defer stop()
	with := helper()
	judged := do(with, late)
	if got := do(with, early); got != want {
		t.Errorf("who has a net finds %s where there was none, and not %s", got, want)
	}
	if got := do(with, late); got != judged || got == want {
		t.Errorf("once it did without, it finds %s and not %s", got, judged)
	}
	if got := do(without, late); got != judged {
		t.Errorf("who began without it finds %s once it has come, and not %s", got, judged)
	}
	rules := withNet(t, bosk.Game(), 2)
	start, f := rules.Start(), rules.(game.Featurer[bosk.Position])
	raw := madeNet(f.Trained(), 2, len(f.Features(&start, 0, nil)))
	raw[len(raw)-crc32.Size-1]++ // one weight is another
	if err := AddNet(binary.LittleEndian.AppendUint32(raw[:len(raw)-crc32.Size], crc32.ChecksumIEEE(raw[:len(raw)-crc32.Size]))); err != nil {
		t.Fatal(err)
	}
	if got := do(helper(), late); !strings.Contains(got, "errand.net") {
		t.Errorf("who has another net does what is to be judged by the first: %s", got)
	}
	forget(f.Trained(), 2)
	if got := do(helper(), late); !strings.Contains(got, "errand.net") {
		t.Errorf("who has no net does what is to be judged by one: %s", got)
	}
}

// TestJudgesThatPlayOnToANet: after some turns they say what the net says, on average, and
// where the game is over before they know as much as those who play to the end. Both is the
// mean of the net at once and of that.
func TestJudgesThatPlayOnToANet(t *testing.T) {
	for seats, reach := range map[int]int{2: 8, 4: 12} {
		t.Run(strconv.Itoa(seats), func(t *testing.T) { judgesThatPlayOn(t, seats, reach) })
	}
}

func judgesThatPlayOn(t *testing.T, seats, reach int) {
	def := grandbois.Game()
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"net": "bot.net", "net:3": "bot.net", "both:3": "bot.net", "careful:3": "bot.net", "careful": "bot.judge", "careful:0": "bot.judge", "both": "bot.judge", "both:0": "bot.judge", "net:0": "bot.judge", "net:": "bot.judge", "net:03": "bot.judge", "nets:3": "bot.judge", "playouts": "bot.judge"} {
		var fault *game.Fault
		if _, err := JudgeOf(rules, name); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%s without a net: %v", name, err)
		}
	}
	withNet(t, grandbois.Game(), seats)
	says := func(name string, s *grandbois.Position) (out [game.MaxSeats]Foretold) {
		judge, err := JudgeOf(rules, name)
		if err != nil {
			t.Fatal(err)
		}
		judge(s, 7, &out)
		return out
	}
	first, _ := flatterAt(t, grandbois.Game(), seats, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
		return r.ToAct(s) >= 0
	})
	early := first.view
	rules.Imagine(&early, first.seat, first.rng)
	x := newSearcher(judging(rules), &effort{ends: true})
	x.pcg.Seed(7, 0)
	x.luck = rand.New(&x.pcg).Uint64()
	x.s = early
	if x.playOut(reach) {
		t.Fatal("the game is over")
	}
	j := netFor(rules, false)
	for seat, got := range says("net:1", &early) {
		if seat < seats {
			if want := j.foretell(&x.s, game.Seat(seat)); math.Abs(got.Lead-want.Lead) > 1e-6 || math.Abs(got.Win-want.Win) > 1e-6 {
				t.Errorf("seat %d: %v where the net says %v", seat, got, want)
			}
		}
	}
	at, far := says("net", &early), says("net:3", &early)
	for seat, got := range says("both:3", &early) {
		if want := (Foretold{(at[seat].Lead + far[seat].Lead) / 2, (at[seat].Win + far[seat].Win) / 2}); got != want || seat < seats && at[seat] == far[seat] {
			t.Errorf("seat %d: both say %v, one %v and the other %v", seat, got, at[seat], far[seat])
		}
	}
	if got, want := says("careful:3", &early), says("both:3", &early); got != want {
		t.Errorf("long before the end care finds %v, and both say %v", got, want)
	}
	last, _ := flatterAt(t, grandbois.Game(), seats, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
		return r.Turn(s) >= 34 && r.ToAct(s) >= 0
	})
	late := last.view
	rules.Imagine(&late, last.seat, last.rng)
	if got, want := says("net:5", &late), says("playouts:5", &late); got != want {
		t.Errorf("at the end %v, and playouts say %v", got, want)
	}
}

// TestJudgesThatTakeCare: from three rounds before the end on, games that level 4 plays on count
// twice as much as a net and quick turns; and what they say of a last turn is nearer to the best
// that can be made of it.
func TestJudgesThatTakeCare(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		rules := withNet(t, bosk.Game(), seats)
		says := func(name string, s *bosk.Position) (out [game.MaxSeats]Foretold) {
			judge, err := JudgeOf(rules, name)
			if err != nil {
				t.Fatal(err)
			}
			judge(s, 7, &out)
			return out
		}
		for left, cares := range map[int]bool{1: true, careRounds * seats: true, careRounds*seats + 1: false} {
			s := near(rules, left, 3)[0]
			before := s
			want := says("both:3", &s)
			if cares {
				for seat := range game.Seat(seats) {
					var played Foretold
					for _, seed := range []string{"7 0", "7 1", "7 2"} {
						st := endByLevel(rules, before, 4, seed)
						r := prize(&st, seats, seat, 0)
						played.Lead += float64(r.margin) / whole / 3
						played.Win += float64(r.wins) / whole / 3
					}
					want[seat] = Foretold{(want[seat].Lead + 2*played.Lead) / 3, (want[seat].Win + 2*played.Win) / 3}
				}
			}
			for seat, got := range says("careful:3", &s) {
				if seat < seats && (math.Abs(got.Lead-want[seat].Lead) > 1e-6 || math.Abs(got.Win-want[seat].Win) > 1e-6) {
					t.Errorf("%d seats, %d turns left, seat %d: %v and not %v", seats, left, seat, got, want[seat])
				}
			}
			if s != before {
				t.Error("what it is asked about is another position then")
			}
		}
		guessed, taken, compared := 0.0, 0.0, 0
		for seed := range uint64(12) {
			s := near(rules, 1, seed)[0]
			seat := rules.ToAct(&s)
			looks := 100_000
			end := bestLead(rules, s, seat, &looks)
			if looks < 0 {
				continue
			}
			compared++
			both, care := says("both:3", &s), says("careful:3", &s)
			guessed += math.Abs(both[seat].Lead - end)
			taken += math.Abs(care[seat].Lead - end)
		}
		if compared < 4 || taken >= guessed {
			t.Errorf("%d seats, %d games: with care it is off by %v, without by %v", seats, compared, taken, guessed)
		}
	}
}

// bestLead is the largest lead with which a seat can end a game by its last turn.
func bestLead[S, M comparable](rules game.Playable[S, M], s S, seat game.Seat, looks *int) float64 {
	if rules.ToAct(&s) == game.None {
		st := rules.Standing(&s)
		return float64(prize(&st, rules.Seats(), seat, 0).margin) / whole
	}
	best := math.Inf(-1)
	for _, move := range rules.Moves(&s, seat, nil) {
		if *looks--; *looks < 0 {
			break
		}
		next := s
		rules.Play(&next, seat, move, nil)
		best = max(best, bestLead(rules, next, seat, looks))
	}
	return best
}

// TestHastyPlayers: who is hasty plays what playouts would, whatever the level.
func TestHastyPlayers(t *testing.T) {
	f, _ := flatterAt(t, grandbois.Game(), 2, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
		return r.Turn(s) >= 6 && r.ToAct(s) >= 0
	})
	made := map[grandbois.Move]bool{}
	for n := range 20 {
		seed := strconv.Itoa(n)
		e, _ := level("level:1/hasty=1")
		got := search(newMind(t.Context(), f.rules, f.record, seed), e)
		x, _, _ := prepare(newMind(t.Context(), f.rules, f.record, seed), e)
		x.pcg.Seed(x.fate, 0)
		x.imagine(&x.s, x.dice)
		if want := x.planner.Plan(&x.s, x.seat, x.dice, nil)[0]; len(got) != 1 || got[0].move != want || got[0].line[0] != want {
			t.Fatalf("%v where the plan is %v", got, want)
		}
		made[got[0].move] = true
	}
	if len(made) < 5 {
		t.Errorf("only %d different moves in 20 seeds", len(made))
	}
}

// TestPlayoutsToTheEnd: where the game says that less is enough, a trial goes on.
func TestPlayoutsToTheEnd(t *testing.T) {
	f, moves := flatterAt(t, grandbois.Game(), 2, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
		return r.ToAct(s) >= 0
	})
	for _, ends := range []bool{false, true} {
		e := efforts()[6]
		e.ends = ends
		x := newSearcher(f.mind, &e)
		x.believe()
		x.outline(moves)
		x.playout(&x.found[0].line, 1)
		if over := x.rules.ToAct(&x.s) == game.None; over != ends {
			t.Errorf("to the end %v: the game is over %v", ends, over)
		}
	}
}

// TestTrialPlayers: a level may be changed for a trial, by what there is to change.
func TestTrialPlayers(t *testing.T) {
	e, ok := level("level:9/budget=60/margin=0.05/far=6/hunch=12/turns=30/former=1/hasty=1/ends=1/planned=7/exact=9/share=0.5/bound=3")
	want := efforts()[8]
	want.weighed, want.trusting, want.exactly, want.own, want.hunch = true, true, true, want.budget, 12
	want.budget, want.marginPart, want.far, want.turns, want.former, want.hasty, want.ends, want.planned, want.exact, want.share, want.bound = 60, 0.05, 6, 30, true, true, true, 7, 9, 0.5, 3
	if !ok || *e != want {
		t.Errorf("%+v", e)
	}
	if !Boundless("level:1/hasty=1") || Boundless("level:9") {
		t.Error("a trial may be set at a table, or a level may not")
	}
	for _, name := range []string{"level:9/", "level:9/far", "level:9/far=-1", "level:9/far=x", "level:9/margin=NaN", "level:9/margin=Inf", "level:9/wings=2", "level:9/share=0", "level:9/margin=10001", "level:9/hunch=100001", "level:9/share=1.5", "level:11/far=2"} {
		if Known(name) == nil {
			t.Errorf("%s is a player", name)
		}
	}
}

// BenchmarkNets counts features and judges by a net of the usual size, in the middle of
// a game.
func BenchmarkNets(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		judging := func(name string, judge func(b *testing.B)) { b.Run(fmt.Sprintf("%s-%d-seats", name, seats), judge) }
		judging("bosk", func(b *testing.B) { judgeMiddle(b, bosk.Game(), seats, 12*seats) })
		judging("grandbois", func(b *testing.B) { judgeMiddle(b, grandbois.Game(), seats, 18) })
		judging("treesociety", func(b *testing.B) { judgeMiddle(b, treesociety.Game(), seats, 6*seats) })
	}
}

func judgeMiddle[S, M comparable](b *testing.B, def game.Definition[S, M], seats, turns int) {
	rules := withNet(b, def, seats)
	f, _ := flatterAt(b, def, seats, func(r game.Rules[S, M], s *S) bool { return r.Turn(s) >= turns && r.ToAct(s) >= 0 })
	j := netFor(rules, false)
	s := f.view
	rules.Imagine(&s, f.seat, f.rng)
	gametest.Rate(b, "judgement", func() { j.foretell(&s, f.seat) })
}
