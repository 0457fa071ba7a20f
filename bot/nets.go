package bot

import (
	"strconv"
	"sync"

	"copse/game"
	"copse/game/net"
	"copse/game/sums"
)

// nets are those that players may ask, by what each was trained for. Generations of
// them are compared by matches between the last that came and the one before.
var nets struct {
	sync.RWMutex
	known, former map[netKey]*net.Net
}

type netKey struct {
	trained string
	seats   int
}

// heads is how many numbers a net says: lead and win as playouts would find them, lead
// and win as games end.
const heads = 4

// What a net says is in parts: a lead of ten points, and one of the logit of a win.
const (
	netParts  = 2048
	perTen    = 10.0
	leadEnds  = 2 // of the heads, those by which players judge
	logitEnds = 3
)

// AddNet has players judge by a net, wherever it fits, in place of the one that was there
// for the same. Where players already think it may take effect in the middle.
func AddNet(raw []byte) error {
	n, err := net.New(raw)
	if err != nil {
		return err
	}
	if n.Outputs != heads {
		return net.ErrOther
	}
	nets.Lock()
	defer nets.Unlock()
	if nets.known == nil {
		nets.known, nets.former = map[netKey]*net.Net{}, map[netKey]*net.Net{}
	}
	key := netKey{n.For, n.Seats}
	if last := nets.known[key]; last != nil && last.Sum == n.Sum {
		return nil // it came again
	}
	nets.former[key], nets.known[key] = nets.known[key], n
	return nil
}

// Wants implements Sharer.
func (t thinker[S, M]) Wants(p game.Position, player string) (string, error) {
	if _, err := find[S, M](player); err != nil {
		return "", err
	}
	e, ok := level(player)
	if !ok || p.ToAct() < 0 || p.Viewer() != game.None && p.Viewer() != p.ToAct() {
		return "", nil // nobody thinks here
	}
	rules, mine := game.RulesOf[S, M](p)
	if !mine || !usesNet(e, rules) || netFor(rules, false) != nil {
		return "", nil
	}
	return netName(rules.(game.Featurer[S]).Trained(), rules.Seats()), nil
}

// Ready implements Game.
func (t thinker[S, M]) Ready(p game.Position, player string) error {
	if _, err := find[S, M](player); err != nil {
		return err
	}
	if rules, mine := game.RulesOf[S, M](p); mine && lacks(player, rules) {
		return noFormer(player)
	}
	return nil
}

// noFormer says that there is no net before the last one, for who would judge by it.
func noFormer(player string) error { return game.Blame("bot.former", game.Args{"player": player}) }

// noNet says that there is no net for a judge that cannot do without.
func noNet(judge string) error { return game.Blame("bot.net", game.Args{"judge": judge}) }

// lacks tells whether a player would ask the net before the last one, and there is none.
func lacks[S, M comparable](player string, rules game.Playable[S, M]) bool {
	e, ok := level(player)
	return ok && e.former && usesNet(e, rules) && netFor(rules, true) == nil
}

// usesNet tells whether a player would ask a net, of playouts or of turns, were there one.
func usesNet[S, M comparable](e *effort, rules game.Playable[S, M]) bool {
	return judgesByNet(e, rules) || hunchOf(e, rules) > 0
}

// judgesByNet tells whether a player would have a net judge playouts, were there one.
func judgesByNet[S, M comparable](e *effort, rules game.Playable[S, M]) bool {
	f, ok := rules.(game.Featurer[S])
	if !ok || e.far == 0 || f.Trained() == "" {
		return false
	}
	least, most := f.Trusted()
	return e.trusting || least <= e.ownBudget() && e.ownBudget() <= most
}

// equip gives a player the net that it would ask, if there is one. Who helps it needs to
// know only the one that judges playouts.
func (x *searcher[S, M]) equip() {
	if !usesNet(x.effort, x.rules) {
		return
	}
	j := netFor(x.rules, x.former)
	if j == nil {
		return
	}
	if judgesByNet(x.effort, x.rules) {
		x.net, x.netSum, x.reach = j, j.net.Sum, x.far
		if x.far == asSaid {
			x.reach = j.features.Reach()
		}
	}
	if x.weight = hunchOf(x.effort, x.rules); x.weight > 0 {
		x.sage = j
	}
}

// netName is the name of a net, after which its file is called.
func netName(trained string, seats int) string {
	name := []byte(trained)
	for i, c := range name {
		if c == ' ' {
			name[i] = '-'
		}
	}
	return string(name) + "-of-" + strconv.Itoa(seats)
}

// netJudge judges by a net. It belongs to one who thinks.
type netJudge[S any] struct {
	features game.Featurer[S]
	net      *net.Net
	room     net.Room
	in       []int16
	out      []int32
}

// netFor is a judge by a net, the last that came or the one before; nil where none fits.
func netFor[S, M comparable](rules game.Playable[S, M], former bool) *netJudge[S] {
	f, ok := rules.(game.Featurer[S])
	if !ok {
		return nil
	}
	nets.RLock()
	defer nets.RUnlock()
	list := nets.known
	if former {
		list = nets.former
	}
	n := list[netKey{f.Trained(), rules.Seats()}]
	if n == nil || f.Trained() == "" {
		return nil
	}
	first := rules.Start()
	if len(f.Features(&first, 0, nil)) != n.Inputs {
		return nil // whatever it calls itself, it was trained on something else
	}
	return &netJudge[S]{features: f, net: n}
}

// foretell is how a game ends for a seat, by the net.
func (j *netJudge[S]) foretell(s *S, seat game.Seat) Foretold {
	j.in = j.features.Features(s, seat, j.in[:0])
	j.out = j.net.Judge(j.in, &j.room, j.out[:0])
	lead := perTen * float64(j.out[leadEnds]) / netParts
	return Foretold{lead, 1 / (1 + sums.Exp(-float64(j.out[logitEnds])/netParts))}
}
