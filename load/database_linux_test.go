package load

import (
	"os"
	"strconv"
	"testing"
)

// TestWhatAProcessUsed: the kernel says it as the process itself does.
func TestWhatAProcessUsed(t *testing.T) {
	for spin := 0; cpuTime().Seconds() < 0.05; spin++ {
		_ = strconv.Itoa(spin)
	}
	p, err := readProcess("self")
	if err != nil || p.parent != os.Getppid() {
		t.Errorf("%+v, %v", p, err)
	}
	if own := cpuTime().Seconds(); p.used > own+0.02 || p.used < own/2-0.02 {
		t.Errorf("the kernel says %v s, the process %v", p.used, own)
	}
	if u, err := Family(os.Getpid())(t.Context(), false); err != nil || u.CPU < p.used {
		t.Errorf("with its children it used %v s, %v", u.CPU, err)
	}
	if Database(os.Getpid()) != nil {
		t.Error("a test is taken for a database")
	}
}
