// Package net computes what a small neural net says of a position, in whole numbers,
// so that every machine finds the same.
//
// A net has two hidden layers. What goes in are whole numbers of 16 bits, the features
// that a game counts; weights of the first layer have 16 bits and those of the others 8;
// sums have 32, and New refuses a net whose sums could be larger. What comes out of a
// hidden layer is its sum, shifted to the right and kept between 0 and 1023.
//
// Nets are data: train/ makes them, and a line of text before the numbers says what one
// is for and where it comes from.
package net

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"copse/game"
)

// About says what a net is for, and where it comes from.
type About struct {
	Format   int    // of the file
	For      string // what it was trained for, as the game names it
	Seats    int    // with so many players
	Origin   string // how it was made, for whoever wants to make it again
	Inputs   int
	First    int // neurons of the first hidden layer,
	Second   int // and of the second
	Outputs  int
	ShiftOne int // by how many bits sums of the first layer are shifted,
	ShiftTwo int // and of the second
}

// format is the version of the file that is read here.
const format = 1

// How large a net may be: what nobody needs is refused before it is made room for.
const (
	mostInputs  = 512
	mostNeurons = 256
	mostOutputs = 16
	mostShift   = 24
	mostText    = 4096
)

// Largest is how far a feature may be from 0; what is further counts as much.
const Largest = 2047

// mostOut is the largest number that leaves a neuron of a hidden layer.
const mostOut = 1023

// Net judges positions. Several may use it at the same time.
type Net struct {
	About
	Sum        uint32  // of its file, by which one net is told from another; never 0
	one        []int16 // by input, then by neuron
	two, out   []int8  // by neuron of the layer, then by neuron of the one before
	bOne       []int32
	bTwo, bOut []int32
}

// sign begins every file of a net.
const sign = "copse net\n"

// ErrDamaged says that a file of a net is not as it was written.
var ErrDamaged = errors.New("net: the file is damaged, or is no net")

// New reads a net. Nothing in it is trusted.
func New(raw []byte) (*Net, error) {
	rest, ok := bytes.CutPrefix(raw, []byte(sign))
	if !ok || len(rest) < crc32.Size {
		return nil, ErrDamaged
	}
	sum := binary.LittleEndian.Uint32(rest[len(rest)-crc32.Size:])
	rest = rest[:len(rest)-crc32.Size]
	if sum == 0 || crc32.ChecksumIEEE(raw[:len(raw)-crc32.Size]) != sum {
		return nil, ErrDamaged
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 || end > mostText {
		return nil, ErrDamaged
	}
	text, rest := rest[:end], rest[end+1:]
	n := &Net{Sum: sum}
	if err := n.read(text); err != nil {
		return nil, err
	}
	if err := n.fits(); err != nil {
		return nil, err
	}
	r := reader{rest}
	n.one = numbers[int16](&r, n.Inputs*n.First, 2)
	n.bOne = numbers[int32](&r, n.First, 4)
	n.two = numbers[int8](&r, n.First*n.Second, 1)
	n.bTwo = numbers[int32](&r, n.Second, 4)
	n.out = numbers[int8](&r, n.Second*n.Outputs, 1)
	n.bOut = numbers[int32](&r, n.Outputs, 4)
	if len(r.raw) != 0 || n.bOut == nil {
		return nil, ErrDamaged
	}
	return n, n.bounded()
}

// read reads the line that says what the net is for.
func (n *Net) read(text []byte) error {
	o := game.ReadObject(text)
	n.About = About{
		Format: o.Number("format"), For: o.Text("for"), Seats: o.Number("seats"), Origin: o.Text("origin"),
		Inputs: o.Number("inputs"), First: o.Number("first"), Second: o.Number("second"), Outputs: o.Number("outputs"), ShiftOne: o.Number("shiftOne"), ShiftTwo: o.Number("shiftTwo"),
	}
	return o.Done()
}

// ErrOther says that a net is of a form that is not known here.
var ErrOther = errors.New("net: the net is of another version of Copse, or larger than any")

// fits refuses what is not known, or too large.
func (n *Net) fits() error {
	within := func(x, most int) bool { return x >= 1 && x <= most }
	if n.Format != format || !within(n.Inputs, mostInputs) || !within(n.First, mostNeurons) || !within(n.Second, mostNeurons) || !within(n.Outputs, mostOutputs) ||
		!within(n.ShiftOne+1, mostShift+1) || !within(n.ShiftTwo+1, mostShift+1) {
		return ErrOther
	}
	return nil
}

// reader reads numbers, the lowest byte first.
type reader struct{ raw []byte }

// numbers reads so many numbers of so many bytes; nil where there are not as many.
func numbers[N int8 | int16 | int32](r *reader, n, size int) []N {
	if r.raw == nil || len(r.raw) < n*size {
		r.raw = nil
		return nil
	}
	list := make([]N, n)
	for i := range list {
		for b := range size {
			list[i] |= N(r.raw[i*size+b]) << (8 * b)
		}
	}
	r.raw = r.raw[n*size:]
	if r.raw == nil {
		r.raw = []byte{}
	}
	return list
}

// ErrBounds says that sums of a net could be larger than they may.
var ErrBounds = errors.New("net: sums of the net could overflow")

// bounded refuses a net of which a sum could overflow, whatever goes in.
func (n *Net) bounded() error {
	for j := range n.First {
		sum := abs(n.bOne[j])
		for i := range n.Inputs {
			sum += Largest * abs(n.one[i*n.First+j])
		}
		if sum >= 1<<31 {
			return ErrBounds
		}
	}
	for _, layer := range []struct {
		weights []int8
		bias    []int32
	}{{n.two, n.bTwo}, {n.out, n.bOut}} {
		from := len(layer.weights) / len(layer.bias)
		for j, b := range layer.bias {
			sum := abs(b)
			for _, w := range layer.weights[j*from : (j+1)*from] {
				sum += mostOut * abs(w)
			}
			if sum >= 1<<31 {
				return ErrBounds
			}
		}
	}
	return nil
}

func abs[N int8 | int16 | int32](x N) int64 { return max(int64(x), -int64(x)) }

// Room is what a net needs to judge. Each of those who use it at the same time has one
// of their own; it keeps its memory.
type Room struct {
	sums     []int32
	one, two []int16
}

// Judge judges a position by its features, and appends what comes out to dst. Too few
// features count as 0, and what is further from 0 than Largest as that.
func (n *Net) Judge(features []int16, room *Room, dst []int32) []int32 {
	if cap(room.sums) < n.First {
		room.sums, room.one, room.two = make([]int32, n.First), make([]int16, n.First), make([]int16, n.Second)
	}
	sums := room.sums[:n.First]
	copy(sums, n.bOne)
	for i, x := range features[:min(len(features), n.Inputs)] {
		if x == 0 { // as most are
			continue
		}
		x := int32(min(max(x, -Largest), Largest))
		for j, w := range n.one[i*n.First:][:len(sums)] {
			sums[j] += x * int32(w)
		}
	}
	one := room.one[:n.First]
	for j, s := range sums {
		one[j] = int16(min(max(s>>n.ShiftOne, 0), mostOut))
	}
	if cap(room.two) < n.Second {
		room.two = make([]int16, n.Second)
	}
	two := room.two[:n.Second]
	for j := range two {
		two[j] = int16(min(max(dot(one, n.two[j*n.First:][:n.First], n.bTwo[j])>>n.ShiftTwo, 0), mostOut))
	}
	for j := range n.Outputs {
		dst = append(dst, dot(two, n.out[j*n.Second:][:n.Second], n.bOut[j]))
	}
	return dst
}

// dot is a bias and the sum of products.
func dot(x []int16, w []int8, bias int32) int32 {
	w = w[:len(x)]
	for i, v := range x {
		bias += int32(v) * int32(w[i])
	}
	return bias
}
