// Package halltest draws the same for a test whenever it runs: who makes a hall in a test
// has its tables dealt by it. A test that passes once then passes always, as far as the
// deal goes, and one that fails fails again. It is for tests alone: arch_test.go lets
// nothing else import it.
package halltest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// halls counts what was made for each test that runs.
var halls = struct {
	sync.Mutex
	of map[testing.TB]int
}{of: map[testing.TB]int{}}

// Random draws for one hall of a test: by the name of the test, by how many halls it has
// made before, as two halls over one store must not give the same ID twice, and by use and
// how often it was asked for that. So it does not matter in which order goroutines come
// that draw for different uses.
func Random(t testing.TB) func(use string, raw []byte) {
	halls.Lock()
	hall, known := halls.of[t]
	halls.of[t]++
	halls.Unlock()
	if !known {
		t.Cleanup(func() {
			halls.Lock()
			defer halls.Unlock()
			delete(halls.of, t)
		})
	}
	var mu sync.Mutex
	asked := map[string]uint64{}
	return func(use string, raw []byte) {
		mu.Lock()
		n := asked[use]
		asked[use]++
		mu.Unlock()
		_, _ = rand.NewChaCha8(seed(t.Name(), hall, use, n)).Read(raw) // it never fails
	}
}

func seed(test string, hall int, use string, n uint64) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64(fmt.Appendf(nil, "%q %d %q ", test, hall, use), n))
}
