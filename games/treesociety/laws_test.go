package treesociety

import (
	"encoding/json"
	"fmt"
	"testing"
	"unsafe"

	"copse/game"
	"copse/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Game()) }

// TestLawsWithTheOtherGuilds holds the laws with botanists and explorers, whose
// effects come first or draw, and without architects in the deck.
func TestLawsWithTheOtherGuilds(t *testing.T) {
	options := UsualOptions()
	options.Guilds, options.Banners = 0b111100, manyBanners
	for _, v := range gametest.Check(played(DefaultBox(), options), gametest.Config{Games: 1}) {
		t.Error(v)
	}
}

// TestLawsWithCrowdedDecks holds the laws where effects wait for a discard, several
// cards are kept and effects wait for each other.
func TestLawsWithCrowdedDecks(t *testing.T) {
	for seed := range uint64(3) {
		options := UsualOptions()
		options.Guilds, options.Banners = [...]uint8{0b111100, 0b101011, 0b011110}[seed], manyBanners
		def := played(crowdedBox(t, seed), options)
		def.MinSeats = 2 + int(seed)
		def.MaxSeats = def.MinSeats
		for _, v := range gametest.Check(def, gametest.Config{Games: 3}) {
			t.Error(v)
		}
	}
}

// TestGolden replays whole games that were played once and must go the same way
// for ever: with the house deck, and with a strange one that uses all of the
// language; those of version 1, of version 2, of version 3, and those of versions 4
// and 5, which have other house decks.
func TestGolden(t *testing.T) {
	options := UsualOptions()
	options.Guilds = 0b110110
	strange := played(strangeBox(t, 7), options)
	gametest.Replay(t, Game(), "testdata/games")
	gametest.Replay(t, strange, "testdata/strange")
	gametest.Replay(t, Game(), "testdata/games-2")
	gametest.Replay(t, strange, "testdata/strange-2")
	gametest.Replay(t, played(standard(1).box, UsualOptions()), "testdata/games-3")
	gametest.Replay(t, Game(), "testdata/games-4")
	gametest.Replay(t, Game(), "testdata/games-5")
	gametest.Replay(t, played(strangerBox(t, 7), options), "testdata/strange-3")
	gametest.Replay(t, played(crowdedBox(t, 8), options), "testdata/crowded-3")
}

// played is the game with another box and other options, whatever a table
// chooses.
func played(box *Box, options Options) game.Definition[Position, Move] {
	def := Game()
	inner := def.New
	def.New = func(seats int, raw json.RawMessage, version int) (game.Playable[Position, Move], error) {
		p, err := inner(seats, raw, version)
		if err != nil {
			return nil, err
		}
		return NewVersion(p.Seats(), box, options, version), nil
	}
	def.Options, def.Box = nil, nil
	return def
}

func TestAPositionIsSmall(t *testing.T) {
	size := unsafe.Sizeof(Position{})
	t.Logf("a position takes %d bytes", size)
	if size >= 1024 {
		t.Error("a copy should stay under 1 KiB")
	}
}

// BenchmarkGames plays whole random games with the complete list of moves at
// every ply.
func BenchmarkGames(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("%d-seats", seats), func(b *testing.B) { gametest.Bench(b, Game(), seats) })
	}
	options := UsualOptions()
	options.Guilds = 0b111100
	b.Run("botanists-explorers", func(b *testing.B) { gametest.Bench(b, played(DefaultBox(), options), 2) })
}
