package server

import (
	"strconv"
	"strings"
)

// The encodings in which a file may be sent.
const (
	brotli   = "br"
	gzipped  = "gzip"
	identity = "identity"
)

// choose is the encoding that a client wants most, of those that there are, given
// best first. Among equals the first wins. The plain file may be sent to everyone
// who does not forbid it, but comes last; and also to a client that forbids
// everything there is, which can still throw it away.
func choose(accept string, there []string) string {
	best, most := identity, 0.0
	for _, encoding := range there {
		if q := wanted(accept, encoding); q > most {
			best, most = encoding, q
		}
	}
	return best
}

// wanted is how much a client wants an encoding, from 0 to 1, by its header
// Accept-Encoding.
func wanted(accept, encoding string) float64 {
	star := 0.0
	if encoding == identity {
		star = 0.0001 // below the least that can be said
	}
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case encoding, "x-" + encoding: // x-gzip is an old name of gzip
			return quality(parameters)
		case "*":
			star = quality(parameters)
		}
	}
	return star
}

// quality is the q of an item of a header: 1 where it has none, and 0 where it
// cannot be read.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) { // NaN is neither
			return 0
		}
		return q
	}
	return 1
}
