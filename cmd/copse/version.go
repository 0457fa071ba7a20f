package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

type versionCommand struct{}

// Run says which Copse this is.
func (versionCommand) Run() error {
	_, err := fmt.Fprintln(os.Stdout, "copse "+version())
	return err
}

// version is what Go knows of how this binary was built: a release, or the commit,
// marked where files were changed since.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, changed := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return commit + changed
}
