//go:build !wasip1

package bot

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"copse/game"
	"copse/game/net"
)

// Minds is a short sum of what levels play a game by at such tables and is tuned from one
// Copse to the next, where a level is among the players: how hard they think, and for how
// long there, the nets that there are, and where and how the game has them ask those. Games
// by other minds are not of the same match. How a search or a game plans is not in it.
func Minds[S, M comparable](name string, players []string, tables ...game.Position) string {
	if !slices.ContainsFunc(players, func(player string) bool { return strings.HasPrefix(player, levelPrefix) }) {
		return ""
	}
	var said []string
	for _, p := range tables {
		if rules, ok := game.RulesOf[S, M](p); ok {
			said = append(said, saidOf(rules))
		}
	}
	nets.RLock()
	defer nets.RUnlock()
	return mindsOf(efforts(), said, netSums(name, nets.known), netSums(name, nets.former))
}

// saidOf is for how long levels think and how they ask nets, as the game says it.
func saidOf[S, M comparable](rules game.Playable[S, M]) string {
	var times, hunches [Levels]int
	f, ok := rules.(game.Featurer[S])
	for i, e := range efforts() {
		times[i] = timeFor(&e, rules)
		hunches[i] = hunchOf(&e, rules)
	}
	if !ok {
		return fmt.Sprint(rules.Seats(), ": ", times)
	}
	least, most := f.Trusted()
	return fmt.Sprint(f.Trained(), " of ", rules.Seats(), ": ", times, least, most, f.Reach(), hunches)
}

// NetFits tells whether players of a game could ask a net at a table such as this. If not,
// it fails and says which they could, or that they could none.
func NetFits[S, M comparable](raw []byte, p game.Position) error {
	n, err := net.New(raw)
	if err != nil {
		return err
	}
	if n.Outputs != heads {
		return net.ErrOther
	}
	rules, _ := game.RulesOf[S, M](p)
	f, ok := rules.(game.Featurer[S])
	name := netName(n.For, n.Seats)
	switch {
	case !ok || f.Trained() == "":
		return fmt.Errorf("it is %s, and at a table such as this no net is asked", name)
	case name != netName(f.Trained(), rules.Seats()):
		return fmt.Errorf("it is %s, and at a table such as this %s is asked", name, netName(f.Trained(), rules.Seats()))
	}
	first := rules.Start()
	if inputs := len(f.Features(&first, 0, nil)); inputs != n.Inputs {
		return fmt.Errorf("it is of another version: %d numbers go into it, and the game counts %d", n.Inputs, inputs)
	}
	return nil
}

func mindsOf(efforts [Levels]effort, said []string, known, former []uint32) string {
	sum := game.Sum256(fmt.Appendf(nil, "%+v %d %q %x %x", efforts, hunchWorlds, said, known, former))
	return hex.EncodeToString(sum[:4])
}

// netSums are the sums of the nets of a game, in order.
func netSums(name string, of map[netKey]*net.Net) []uint32 {
	var sums []uint32
	for key, n := range of {
		if trainedFor, _, _ := strings.Cut(key.trained, " "); n != nil && trainedFor == name {
			sums = append(sums, n.Sum)
		}
	}
	slices.Sort(sums)
	return sums
}
