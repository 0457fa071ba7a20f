package bosk

import (
	"fmt"
	"testing"
	"unsafe"

	"copse/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Game()) }

// TestGolden replays whole games that were played once and must go the same
// way for ever.
func TestGolden(t *testing.T) { gametest.Replay(t, Game(), "testdata/games") }

func TestAPositionIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Position{}); size >= 1024 {
		t.Errorf("a position takes %d bytes; a copy should stay under 1 KiB", size)
	}
}

// BenchmarkGames plays whole random games with the complete list of moves at
// every ply.
func BenchmarkGames(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("%d-seats", seats), func(b *testing.B) { gametest.Bench(b, Game(), seats) })
	}
}
