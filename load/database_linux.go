package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticks is how many of its units of time the kernel counts in a second, for whoever
// asks from outside.
const ticks = 100

// process is what the kernel says of one.
type process struct {
	name   string
	parent int
	used   float64 // seconds
	waited float64 // likewise, of its children that have ended
}

func readProcess(pid string) (p process, err error) {
	raw, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return p, err
	}
	// The name stands in brackets, and may have some in it.
	from, to := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if from < 0 || to < from {
		return p, fmt.Errorf("load: process %s cannot be read", pid)
	}
	fields := strings.Fields(string(raw[to+1:]))
	const parent, own, system, children, theirs = 1, 11, 12, 13, 14
	if len(fields) <= theirs {
		return p, fmt.Errorf("load: process %s cannot be read", pid)
	}
	number := func(i int) float64 {
		n, wrong := strconv.ParseFloat(fields[i], 64)
		err = errors.Join(err, wrong)
		return n
	}
	p = process{string(raw[from+1 : to]), int(number(parent)), (number(own) + number(system)) / ticks, (number(children) + number(theirs)) / ticks}
	return p, err
}

// Database tells what a PostgreSQL on this machine uses, all of its processes
// together. It is found by the process of one connection; nil where that is none of
// this machine.
func Database(connection int) Meter {
	one, err := readProcess(strconv.Itoa(connection))
	if err != nil || !strings.HasPrefix(one.name, "postgres") {
		return nil
	}
	return Family(one.parent)
}

// Family tells what a process and its children use, with those that have ended.
func Family(head int) Meter {
	return func(context.Context, bool) (u Usage, err error) {
		first, err := readProcess(strconv.Itoa(head))
		if err != nil {
			return u, err
		}
		u.CPU = first.used + first.waited
		all, err := os.ReadDir("/proc")
		for _, d := range all {
			if d.Name()[0] < '0' || d.Name()[0] > '9' {
				continue
			}
			if p, err := readProcess(d.Name()); err == nil && p.parent == head { // one that ends meanwhile is counted with the head
				u.CPU += p.used
			}
		}
		return u, err
	}
}
