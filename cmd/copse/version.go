package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of Copse, by the rules of semver.org; CHANGELOG.md says
// what is in it. It is right however the binary was built.
const release = "0.9.0"

// What the linker writes here (tools/stamp.sh): the commit, its date as RFC 3339 has
// it, and "true" where files were changed since. Empty where nobody said so.
var commit, date, changed string

// build says which Copse this is.
type build struct {
	commit  string // all of it; empty where it is not known
	date    string // of the commit, as RFC 3339 has it; likewise
	changed bool   // since the commit
}

// built is what the linker was told, or else what Go itself has noted of the
// repository.
func built() build {
	if commit != "" {
		return build{commit, date, changed == "true"}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{}
	}
	var b build
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.date = s.Value
		case "vcs.modified":
			b.changed = s.Value == "true"
		}
	}
	return b
}

// short is the commit as people write it, marked where files were changed since;
// empty where it is not known.
func (b build) short() string {
	const letters = 12
	if b.commit == "" {
		return ""
	}
	name := b.commit[:min(letters, len(b.commit))]
	if b.changed {
		name += ".changed"
	}
	return name
}

// day is the day of the commit; empty where it is not known.
func (b build) day() string {
	day, _, _ := strings.Cut(b.date, "T")
	return day
}

// String is the version, and what is known of the commit.
func (b build) String() string {
	var known []string
	for _, s := range []string{b.short(), b.day()} {
		if s != "" {
			known = append(known, s)
		}
	}
	if len(known) == 0 {
		return release
	}
	return release + " (" + strings.Join(known, ", ") + ")"
}

// version is what the program calls itself towards others: the version, with the
// commit as semver.org writes what is built from what.
func version() string {
	if name := built().short(); name != "" {
		return release + "+" + name
	}
	return release
}

type versionCommand struct{}

// Run says which Copse this is, and what it was built with.
func (versionCommand) Run() error {
	_, err := fmt.Fprintf(os.Stdout, "copse %s\n%s, %s/%s\n", built(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
