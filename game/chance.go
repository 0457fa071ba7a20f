package game

import (
	"encoding/binary"
	"math/rand/v2"
)

// Seed is where the chance of one game comes from: a secret, and what each seat
// added when it sat down, in the order of the seats.
type Seed struct {
	Secret []byte
	Nonces [][]byte
}

// Draw is the outcome of draw number k of a game, counted from 0 along the current
// line of play, so that an undone draw comes again the same. Whoever deals and
// whoever verifies call it: there is no other way from a seed to an outcome.
func Draw[S, M comparable](r Rules[S, M], s *S, seed Seed, k int) M {
	return Outcome(r, s, r.Moves(s, Chance, nil), seed.Numbers(k))
}

// Outcome picks one of chance's moves by numbers from a source, each as likely as
// its Odds say. It passes over numbers that would favour some, so there is no bias.
func Outcome[S, M comparable](r Rules[S, M], s *S, outcomes []M, source rand.Source) M {
	if _, even := r.(Even); even {
		return outcomes[number(source, uint64(len(outcomes)))]
	}
	total := uint64(0)
	for _, m := range outcomes {
		total += uint64(r.Odds(s, m))
	}
	x := number(source, total)
	for _, m := range outcomes {
		odds := uint64(r.Odds(s, m))
		if x < odds {
			return m
		}
		x -= odds
	}
	panic("game: Odds changed while an outcome was picked")
}

// number is one of the numbers below total, all equally likely.
func number(source rand.Source, total uint64) uint64 {
	surplus := -total % total // 2^64 mod total: so many of the numbers would favour some
	x := source.Uint64()
	for x < surplus {
		x = source.Uint64()
	}
	return x % total
}

// Numbers is the endless row of numbers that decides draw k: block after block of
// HMAC-SHA256, four numbers of eight bytes each. The key is the secret. The message
// is the number of nonces, then for each nonce its length and itself, then k, then
// the number of the block from 0. All numbers are big-endian and eight bytes long.
func (seed Seed) Numbers(k int) rand.Source {
	return &numbers{seed: seed, draw: uint64(k)}
}

type numbers struct {
	seed  Seed
	draw  uint64
	block uint64
	left  []byte
}

func (n *numbers) Uint64() uint64 {
	if len(n.left) == 0 {
		message := binary.BigEndian.AppendUint64(nil, uint64(len(n.seed.Nonces)))
		for _, nonce := range n.seed.Nonces {
			message = binary.BigEndian.AppendUint64(message, uint64(len(nonce)))
			message = append(message, nonce...)
		}
		message = binary.BigEndian.AppendUint64(message, n.draw)
		message = binary.BigEndian.AppendUint64(message, n.block)
		n.block++
		sum := mac256(n.seed.Secret, message)
		n.left = sum[:]
	}
	x := binary.BigEndian.Uint64(n.left)
	n.left = n.left[8:]
	return x
}

// Mix makes of a number one that looks like chance: those of neighbours have nothing in
// common. It serves bots, which need many such numbers quickly, and no shuffle.
func Mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15 // the golden ratio, of 2^64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
