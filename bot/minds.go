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

// Minds is a short sum of all by which levels play a game and that may change from one Copse
// to the next, where a level is among the players: how hard they think, and the nets that
// there are. Games by other minds are not of the same match.
func Minds(name string, players []string) string {
	if !slices.ContainsFunc(players, func(player string) bool { return strings.HasPrefix(player, levelPrefix) }) {
		return ""
	}
	nets.RLock()
	defer nets.RUnlock()
	return mindsOf(efforts(), netSums(name, nets.known), netSums(name, nets.former))
}

func mindsOf(efforts [Levels]effort, known, former []uint32) string {
	sum := game.Sum256(fmt.Appendf(nil, "%+v %x %x", efforts, known, former))
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
