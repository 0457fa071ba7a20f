package gametest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"copse/game"
)

func lawList[S, M comparable](p *moment[S, M]) error {
	return p.listed("the truth", p.s)
}

func lawListOnViews[S, M comparable](p *moment[S, M]) error {
	for _, o := range p.outlooks()[1:] {
		if err := p.listed(o.name, o.s); err != nil {
			return err
		}
	}
	return nil
}

// listed makes sure that the lists of one position are in order.
func (p *moment[S, M]) listed(name string, s S) error {
	var mark M
	bytesOf(&mark)[0] = 0xA5
	const before = 3
	buf := slices.Repeat([]M{mark}, before+len(p.list))
	for _, asker := range p.askers {
		grown := p.rules.Moves(&s, asker, buf[:before])
		if len(grown) < before || grown[0] != mark || grown[1] != mark || grown[2] != mark {
			return fmt.Errorf("Moves of %v on %s touches what was in the buffer", asker, name)
		}
		list := grown[before:]
		if asker != p.by {
			if len(list) > 0 {
				return fmt.Errorf("Moves on %s lists %s for %v, but %v is to act", name, p.words(list[0]), asker, p.by)
			}
			continue
		}
		if len(list) == 0 && asker != game.None {
			return fmt.Errorf("Moves on %s lists nothing for %v, who is to act", name, asker)
		}
		again := p.rules.Moves(&s, asker, nil)
		if !slices.Equal(list, again) {
			return fmt.Errorf("Moves of %v on %s, asked twice, lists %d and %d moves, or others, or in another order",
				asker, name, len(list), len(again))
		}
		seen := make(map[M]bool, len(list))
		for _, m := range list {
			if seen[m] {
				return fmt.Errorf("Moves of %v on %s lists %s twice", asker, name, p.words(m))
			}
			seen[m] = true
		}
	}
	return nil
}

func lawCheck[S, M comparable](p *moment[S, M]) error {
	strange := p.strangers(64)
	for _, o := range p.outlooks() {
		for _, asker := range p.askers {
			list := p.rules.Moves(&o.s, asker, nil)
			legal := make(map[M]bool, len(list))
			for _, m := range list {
				legal[m] = true
				if err := p.checked(&o.s, asker, m, true); err != nil {
					return fmt.Errorf("on %s: %w", o.name, err)
				}
			}
			few := strange[p.rng.IntN(len(strange)/2):][:len(strange)/4]
			if asker == p.by {
				few = strange
			} else if len(p.list) > 0 {
				few = append(slices.Clone(few), p.list[p.rng.IntN(len(p.list))])
			}
			for _, m := range few {
				if err := p.checked(&o.s, asker, m, legal[m]); err != nil {
					return fmt.Errorf("on %s: %w", o.name, err)
				}
			}
		}
	}
	return nil
}

// checked makes sure of what Check says of one move.
func (p *moment[S, M]) checked(s *S, asker game.Seat, m M, legal bool) error {
	return calmly(func() error {
		err := p.rules.Check(s, asker, m)
		if legal {
			if err != nil {
				return fmt.Errorf("Check refuses %v the move %s, which Moves lists: %w", asker, p.words(m), err)
			}
			return nil
		}
		if err == nil {
			return fmt.Errorf("Check allows %v the move %+v, which Moves does not list", asker, m)
		}
		var refusal *game.Refusal
		if !errors.As(err, &refusal) || refusal == nil {
			return fmt.Errorf("Check answers %v on %+v with a %T, not with a *Refusal", asker, m, err)
		}
		if refusal.Rule == "" {
			return fmt.Errorf("Check refuses %v the move %+v by %s and names no rule", asker, m, refusal.Key)
		}
		if err := p.declared(refusal.Key, refusal.Args); err != nil {
			return fmt.Errorf("Check refuses %v the move %+v: %w", asker, m, err)
		}
		return nil
	})
}

// strangers are at least n moves that were not listed here, or only by luck: moves
// met elsewhere, legal moves with a byte changed or crossed with others, random
// bytes, nothing at all.
func (p *moment[S, M]) strangers(n int) []M {
	list := make([]M, 1, n+4)
	for _, m := range p.met {
		if p.rng.IntN(len(p.met)) < n/4 {
			list = append(list, m)
		}
	}
	for len(list) < n {
		var m M
		switch raw := bytesOf(&m); p.rng.IntN(4) {
		case 0:
			for i := range raw {
				raw[i] = byte(p.rng.Uint32())
			}
		case 1:
			if len(p.list) > 0 {
				m = p.list[p.rng.IntN(len(p.list))]
				other := p.list[p.rng.IntN(len(p.list))]
				copy(raw[p.rng.IntN(len(raw)):], bytesOf(&other)[p.rng.IntN(len(raw)):])
			}
		default:
			if len(p.list) > 0 {
				m = p.list[p.rng.IntN(len(p.list))]
			} else if len(p.met) > 0 {
				m = p.met[p.rng.IntN(len(p.met))]
			}
			at := p.rng.IntN(len(raw))
			raw[at] = [...]byte{0, 0xFF, 0x80, raw[at] + 1, raw[at] - 1, byte(p.rng.Uint32())}[p.rng.IntN(6)]
		}
		list = append(list, m)
	}
	return list
}

// bytesOf is a move as it lies in memory. Moves are nothing but integers side by
// side (the law of types), so that any bytes are a move.
func bytesOf[M comparable](m *M) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
}

func lawOdds[S, M comparable](p *moment[S, M]) error {
	if p.by != game.Chance {
		return nil
	}
	steady, _ := any(p.rules).(game.Steady[M])
	for _, o := range p.outlooks() {
		numbers := map[uint64]M{}
		for _, m := range p.rules.Moves(&o.s, game.Chance, nil) {
			if steady != nil {
				n := steady.Number(m)
				if other, met := numbers[n]; met || n > math.MaxUint32 {
					return fmt.Errorf("on %s the number of %s is %d, which is too large or that of %s", o.name, p.words(m), n, p.words(other))
				}
				numbers[n] = m
			}
			odds := p.rules.Odds(&o.s, m)
			if odds < 1 {
				return fmt.Errorf("on %s the odds of %s are %d", o.name, p.words(m), odds)
			}
			if _, even := any(p.rules).(game.Even); even && odds != 1 {
				return fmt.Errorf("all outcomes are said to be as likely, but on %s the odds of %s are %d", o.name, p.words(m), odds)
			}
		}
	}
	seed := game.Seed{Secret: []byte("laws"), Nonces: [][]byte{{byte(p.sitting.game)}}}
	k := len(p.sitting.played)
	one, two := game.Draw(p.rules, &p.s, seed, k), game.Draw(p.rules, &p.s, seed, k)
	if one != two {
		return fmt.Errorf("draw %d is %s and then %s", k, p.words(one), p.words(two))
	}
	if !slices.Contains(p.list, one) {
		return fmt.Errorf("draw %d is %s, which is not listed", k, p.words(one))
	}
	return nil
}

func lawSampler[S, M comparable](p *moment[S, M]) error {
	const times, most = 64, 128
	if p.by < 0 || len(p.list) > most {
		return nil
	}
	sampler := any(p.rules).(game.Sampler[S, M])
	met := make(map[M]int, len(p.list))
	for _, m := range p.list {
		met[m] = 0
	}
	for range times * len(p.list) {
		m := sampler.Sample(&p.s, p.by, p.rng)
		if _, ok := met[m]; !ok {
			return fmt.Errorf("Sample gives %v the move %+v, which is not listed", p.by, m)
		}
		met[m]++
	}
	for _, m := range p.list {
		if !near(met[m], times*len(p.list), len(p.list)) {
			return fmt.Errorf("of %d samples from %d moves %d are %s", times*len(p.list), len(p.list), met[m], p.words(m))
		}
	}
	return nil
}

// near tells whether one of some equally likely things may well have been met so
// often: within six standard deviations, which chance leaves about once in five
// hundred million times.
func near(met, all, things int) bool {
	if things == 1 {
		return met == all
	}
	mean := float64(all) / float64(things)
	deviation := math.Sqrt(mean * (1 - 1/float64(things)))
	return math.Abs(float64(met)-mean) <= 6*deviation+1
}
