package net

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// made writes a net of a form, with numbers from a source.
func made(about string, inputs, first, second, outputs int, number func(layer int) int32) []byte {
	raw := []byte(sign + about + "\n")
	for range inputs * first {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(number(0)))
	}
	for range first {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(number(1)))
	}
	for range first * second {
		raw = append(raw, byte(number(2)))
	}
	for range second {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(number(3)))
	}
	for range second * outputs {
		raw = append(raw, byte(number(4)))
	}
	for range outputs {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(number(5)))
	}
	return sealed(raw)
}

func sealed(raw []byte) []byte { return binary.LittleEndian.AppendUint32(raw, crc32.ChecksumIEEE(raw)) }

func about(inputs, first, second, outputs, one, two int) string {
	return fmt.Sprintf(`{"format":1,"for":"bosk 1","seats":2,"origin":"by hand","inputs":%d,"first":%d,"second":%d,"outputs":%d,"shiftOne":%d,"shiftTwo":%d}`, inputs, first, second, outputs, one, two)
}

// plain computes the same in another way: with large numbers, neuron by neuron.
func plain(n *Net, features []int16) (out []int32) {
	layer := func(x []int64, weight func(i, j int) int64, bias []int32, shift int, last bool) (y []int64) {
		for j := range bias {
			sum := int64(bias[j])
			for i, v := range x {
				sum += v * weight(i, j)
			}
			if !last {
				sum = min(max(sum>>shift, 0), 1023)
			}
			y = append(y, sum)
		}
		return y
	}
	x := make([]int64, n.Inputs)
	for i := range min(n.Inputs, len(features)) {
		x[i] = min(max(int64(features[i]), -2047), 2047)
	}
	x = layer(x, func(i, j int) int64 { return int64(n.one[i*n.First+j]) }, n.bOne, n.ShiftOne, false)
	x = layer(x, func(i, j int) int64 { return int64(n.two[j*n.First+i]) }, n.bTwo, n.ShiftTwo, false)
	for _, v := range layer(x, func(i, j int) int64 { return int64(n.out[j*n.Second+i]) }, n.bOut, 0, true) {
		out = append(out, int32(v))
	}
	return out
}

// TestANetComputesWhatItSays: random nets of many forms, and random features, also too
// many, too few and too large ones; a room serves nets of all sizes.
func TestANetComputesWhatItSays(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 4))
	var room Room
	for range 200 {
		in, first, second, outs := 1+rng.IntN(40), 1+rng.IntN(40), 1+rng.IntN(20), 1+rng.IntN(5)
		n, err := New(made(about(in, first, second, outs, rng.IntN(14), rng.IntN(10)), in, first, second, outs, func(layer int) int32 {
			switch layer {
			case 0:
				return int32(rng.IntN(2001) - 1000)
			case 2, 4:
				return int32(rng.IntN(255) - 127)
			}
			return int32(rng.IntN(200_001) - 100_000)
		}))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			features := make([]int16, rng.IntN(in+5))
			for i := range features {
				features[i] = int16(rng.IntN(300) - 150)
				if rng.IntN(20) == 0 {
					features[i] = int16(rng.Uint32())
				}
			}
			want := plain(n, features)
			if got := n.Judge(features, &room, nil); !slices.Equal(got, want) {
				t.Fatalf("%+v says %v of %v, and should say %v", n.About, got, features, want)
			}
		}
	}
	if n, err := New(made(about(1, 1, 1, 1, 0, 0), 1, 1, 1, 1, func(int) int32 { return 1 })); err != nil || n.For != "bosk 1" || n.Origin != "by hand" || n.Seats != 2 {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestWhatIsNoNet is refused, whatever it is, and takes no room.
func TestWhatIsNoNet(t *testing.T) {
	t.Parallel()
	good := made(about(3, 4, 2, 1, 5, 5), 3, 4, 2, 1, func(int) int32 { return 7 })
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		harmed := slices.Clone(good)
		harmed[i] ^= 1 << (i % 8)
		if _, err := New(harmed); err == nil {
			t.Errorf("byte %d may be anything", i)
		}
		if _, err := New(good[:i]); err == nil {
			t.Errorf("%d of %d bytes are a net", i, len(good))
		}
	}
	body := good[:len(good)-4]
	for what, raw := range map[string][]byte{
		"one byte more":         sealed(append(slices.Clone(body), 0)),
		"one byte less":         sealed(slices.Clone(body[:len(body)-1])),
		"no text":               sealed([]byte(sign)),
		"no line":               sealed([]byte(sign + "{}")),
		"an unknown field":      sealed([]byte(strings.Replace(string(body), `"seats":2`, `"seats":2,"more":1`, 1))),
		"another form":          sealed([]byte(strings.Replace(string(body), `"format":1`, `"format":2`, 1))),
		"no inputs":             sealed([]byte(strings.Replace(string(body), `"inputs":3`, `"inputs":0`, 1))),
		"less than none":        sealed([]byte(strings.Replace(string(body), `"first":4`, `"first":-4`, 1))),
		"more than any":         sealed([]byte(strings.Replace(string(body), `"second":2`, `"second":100000`, 1))),
		"shifted away":          sealed([]byte(strings.Replace(string(body), `"shiftOne":5`, `"shiftOne":70`, 1))),
		"shifted the other way": sealed([]byte(strings.Replace(string(body), `"shiftTwo":5`, `"shiftTwo":-1`, 1))),
	} {
		if _, err := New(raw); err == nil {
			t.Errorf("%s is a net", what)
		}
	}
	for layer, large := range map[int]int32{0: 32767, 1: 1 << 30, 3: 1<<31 - 1, 5: -1 << 31} {
		in := 40
		raw := made(about(in, 2, 2, 1, 5, 5), in, 2, 2, 1, func(l int) int32 {
			if l == layer {
				return large
			}
			return 100
		})
		if _, err := New(raw); (layer != 1) != errors.Is(err, ErrBounds) {
			t.Errorf("layer %d of %d: %v", layer, large, err)
		}
	}
}

// BenchmarkNet judges with a net of the usual size.
func BenchmarkNet(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 4))
	n, err := New(made(about(92, 64, 32, 4, 8, 8), 92, 64, 32, 4, func(int) int32 { return int32(rng.IntN(200) - 100) }))
	if err != nil {
		b.Fatal(err)
	}
	features := make([]int16, 92)
	for i := range features {
		features[i] = int16(rng.IntN(200))
	}
	var room Room
	var out []int32
	for b.Loop() {
		out = n.Judge(features, &room, out[:0])
	}
}
