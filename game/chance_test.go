package game_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"testing"

	"copse/game"
)

// urn is a game of one draw: outcome n lies in it n times.
type urn struct {
	game.Rules[int, int]
	outcomes int
}

func (u urn) Moves(_ *int, _ game.Seat, buf []int) []int {
	for n := 1; n <= u.outcomes; n++ {
		buf = append(buf, n)
	}
	return buf
}

func (u urn) Odds(_ *int, n int) int { return n }

func TestDrawsFollowTheOdds(t *testing.T) {
	const draws, outcomes = 20_000, 6
	seed := game.Seed{Secret: []byte("oak")}
	var met [outcomes + 1]int
	for k := range draws {
		met[game.Draw(urn{outcomes: outcomes}, new(int), seed, k)]++
	}
	for n := 1; n <= outcomes; n++ {
		p := float64(n) / 21 // 1+2+…+6
		want, sd := draws*p, math.Sqrt(draws*p*(1-p))
		if math.Abs(float64(met[n])-want) > 5*sd {
			t.Errorf("outcome %d was drawn %d times, want about %.0f", n, met[n], want)
		}
	}
}

// TestDrawsAreForEver holds the way from a seed to an outcome: somebody who
// verifies a game years later must draw the same.
func TestDrawsAreForEver(t *testing.T) {
	seed := game.Seed{Secret: []byte("oak"), Nonces: [][]byte{[]byte("a"), {}, []byte("bc")}}
	mac := hmac.New(sha256.New, []byte("oak"))
	for _, part := range [][]byte{
		{0, 0, 0, 0, 0, 0, 0, 3},              // three nonces
		{0, 0, 0, 0, 0, 0, 0, 1}, []byte("a"), // each with its length
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 0, 2}, []byte("bc"),
		{0, 0, 0, 0, 0, 0, 0, 7}, // draw 7
		{0, 0, 0, 0, 0, 0, 0, 0}, // its first four numbers
	} {
		mac.Write(part)
	}
	sum := mac.Sum(nil)
	numbers := seed.Numbers(7)
	for i := range 4 {
		if got, want := numbers.Uint64(), binary.BigEndian.Uint64(sum[8*i:]); got != want {
			t.Errorf("number %d is %x, want %x", i, got, want)
		}
	}
	var drawn []int
	for k := range 10 {
		drawn = append(drawn, game.Draw(urn{outcomes: 100}, new(int), seed, k))
	}
	want := []int{64, 10, 93, 81, 71, 46, 91, 84, 62, 66}
	for i := range want {
		if drawn[i] != want[i] {
			t.Fatalf("the draws are %v, want %v", drawn, want)
		}
	}
}

func TestSeatsAddToTheSeed(t *testing.T) {
	numbers := map[uint64]string{}
	for name, seed := range map[string]game.Seed{
		"nothing":     {},
		"secret":      {Secret: []byte("a")},
		"one nonce":   {Secret: []byte("a"), Nonces: [][]byte{[]byte("bc")}},
		"two nonces":  {Secret: []byte("a"), Nonces: [][]byte{[]byte("b"), []byte("c")}},
		"other order": {Secret: []byte("a"), Nonces: [][]byte{[]byte("c"), []byte("b")}},
		"an empty":    {Secret: []byte("a"), Nonces: [][]byte{[]byte("bc"), {}}},
	} {
		n := seed.Numbers(0).Uint64()
		if other, same := numbers[n]; same {
			t.Errorf("%s and %s draw the same", name, other)
		}
		numbers[n] = name
	}
}

// edge is a source that first gives numbers that would favour some outcomes.
type edge struct{ given []uint64 }

func (e *edge) Uint64() uint64 {
	n := e.given[0]
	e.given = e.given[1:]
	return n
}

func TestNumbersThatFavourSomeArePassedOver(t *testing.T) {
	// Three outcomes weigh six together; 2^64 mod 6 is 4, so 0 to 3 are passed
	// over.
	u := urn{outcomes: 3}
	got := game.Outcome(u, new(int), u.Moves(nil, 0, nil), &edge{[]uint64{0, 1, 2, 3, 4}})
	if got != 3 { // 4 mod 6 is 4: after one 1 and two 2s, the second 3
		t.Errorf("outcome %d, want 3", got)
	}
}
