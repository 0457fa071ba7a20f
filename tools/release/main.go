// Command release makes what people install, from a tree whose page is built:
//
//	release notices    the licences of everything that is linked: web/public/licences.txt
//	release make       everything in dist/: archives, packages, an image, an SBOM, checksums
//	release packages   the packages alone
//
// The same tree makes the same bytes, wherever it lies and whenever it is run: every
// time in it is that of the commit.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// target is a kind of machine.
type target struct {
	os, arch, arm string

	deb, rpm string // what the packages call it; empty for none
	image    string // the architecture of an image; empty for none
	variant  string // of that
}

// targets are the machines for which there is a release.
func targets() []target {
	return []target{
		{os: "linux", arch: "amd64", deb: "amd64", rpm: "x86_64", image: "amd64"},
		{os: "linux", arch: "arm64", deb: "arm64", rpm: "aarch64", image: "arm64", variant: "v8"},
		{os: "linux", arch: "arm", arm: "7", deb: "armhf", rpm: "armv7hl", image: "arm", variant: "v7"},
		{os: "linux", arch: "386", deb: "i386", rpm: "i686", image: "386"},
		{os: "darwin", arch: "amd64"},
		{os: "darwin", arch: "arm64"},
		{os: "windows", arch: "amd64"},
		{os: "windows", arch: "arm64"},
		{os: "freebsd", arch: "amd64"},
		{os: "freebsd", arch: "arm64"},
	}
}

// String is what the files for a machine are called.
func (t target) String() string {
	if t.arm != "" {
		return t.os + "-" + t.arch + "v" + t.arm
	}
	return t.os + "-" + t.arch
}

// env is what Go is told of a machine.
func (t target) env() []string {
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+t.os, "GOARCH="+t.arch)
	if t.arm != "" {
		env = append(env, "GOARM="+t.arm)
	}
	return env
}

// maker makes a release.
type maker struct {
	root    string // of the repository
	out     string
	version string // as the program calls itself
	calls   string // as packages call it
	at      time.Time
	stamp   string // for the linker
	only    []target
}

func main() {
	root := flag.String("root", "..", "the `folder` of the repository")
	out := flag.String("out", "../dist", "the `folder` to make everything in; it is emptied first")
	calls := flag.String("calls", "", "the `version` that packages are given, to try an upgrade; by default that of the program")
	only := flag.String("only", "", "make it for these machines alone, for example linux-amd64,linux-arm64")
	flag.Parse()
	if err := run(*root, *out, *calls, *only, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root, out, calls, only, do string) error {
	m, err := newMaker(root, out, calls, only)
	if err != nil {
		return err
	}
	switch do {
	case "notices":
		text, err := m.notices()
		if err != nil {
			return err
		}
		return os.WriteFile(m.path(noticesFile), []byte(text), 0o644)
	case "make":
		return m.make(true)
	case "packages":
		return m.make(false)
	}
	return errors.New("say what to do: notices, make or packages")
}

func newMaker(root, out, calls, only string) (*maker, error) {
	m := &maker{root: root, out: out}
	var err error
	if m.version, err = m.readVersion(); err != nil {
		return nil, err
	}
	if m.calls = calls; calls == "" {
		m.calls = m.version
	}
	date, err := m.said("tools/stamp.sh", "date")
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(date, 10, 64)
	if err != nil {
		return nil, err
	}
	m.at = time.Unix(seconds, 0).UTC()
	if m.stamp, err = m.said("tools/stamp.sh"); err != nil {
		return nil, err
	}
	for _, t := range targets() {
		if only == "" || strings.Contains(","+only+",", ","+t.String()+",") {
			m.only = append(m.only, t)
		}
	}
	if len(m.only) == 0 {
		return nil, fmt.Errorf("there is no release for %s", only)
	}
	return m, nil
}

func (m *maker) path(name string) string { return filepath.Join(m.root, filepath.FromSlash(name)) }

// said is what a program of the repository prints.
func (m *maker) said(program string, args ...string) (string, error) {
	where, err := filepath.Abs(m.path(program))
	if err != nil {
		return "", err
	}
	cmd := exec.Command(where, args...)
	cmd.Dir, cmd.Stderr = m.root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
}

var declared = regexp.MustCompile(`(?m)^const release = "(\d+\.\d+\.\d+)"$`)

// readVersion is the version that the source declares.
func (m *maker) readVersion() (string, error) {
	raw, err := os.ReadFile(m.path("cmd/copse/version.go"))
	if err != nil {
		return "", err
	}
	found := declared.FindSubmatch(raw)
	if found == nil {
		return "", errors.New("cmd/copse/version.go declares no release")
	}
	return string(found[1]), nil
}

// make makes everything, or the packages alone.
func (m *maker) make(all bool) error {
	if _, err := os.Stat(m.path("web/dist/site/index.html.br")); err != nil {
		return fmt.Errorf("the page is not built: run make build (%w)", err)
	}
	fresh, err := m.notices()
	if err != nil {
		return err
	}
	if kept, err := os.ReadFile(m.path(noticesFile)); err != nil || string(kept) != fresh {
		return fmt.Errorf("%s is not what is linked: run make notices, then make build (%w)", noticesFile, err)
	}
	if err := errors.Join(os.RemoveAll(m.out), os.MkdirAll(m.out, 0o755)); err != nil {
		return err
	}
	printed, err := m.printed()
	if err != nil {
		return err
	}
	var images []image
	var linked []linkedBy
	for _, t := range m.only {
		fmt.Println(t)
		binary, err := m.build(t)
		if err != nil {
			return err
		}
		linked = append(linked, linkedBy{t, binary})
		if all {
			if err := m.archive(t, binary, printed); err != nil {
				return err
			}
		}
		if t.deb != "" {
			if err := errors.Join(m.deb(t, binary, printed), m.rpm(t, binary, printed)); err != nil {
				return err
			}
		}
		if t.image != "" {
			images = append(images, image{t, binary})
		}
	}
	if !all {
		return nil
	}
	if err := errors.Join(m.layout(images), m.sbom(linked), m.source()); err != nil {
		return err
	}
	return m.checksums()
}

// build builds the binary for a machine.
func (m *maker) build(t target) ([]byte, error) {
	file, err := os.CreateTemp("", "copse-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(file.Name()) }() // what is left of it is in nobody's way
	if err := file.Close(); err != nil {
		return nil, err
	}
	script, err := filepath.Abs(m.path("tools/build.sh"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(script, file.Name())
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.root, t.env(), os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return os.ReadFile(file.Name())
}

// printed is what the program itself prints of how it is used: the same on every
// machine.
type printed struct{ man, bash, zsh, fish []byte }

func (m *maker) printed() (p printed, err error) {
	folder, err := os.MkdirTemp("", "copse-")
	if err != nil {
		return p, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left of it is in nobody's way
	program, script := filepath.Join(folder, "copse"), ""
	if script, err = filepath.Abs(m.path("tools/build.sh")); err != nil {
		return p, err
	}
	build := exec.Command(script, program)
	build.Dir, build.Stderr = m.root, os.Stderr
	if err := build.Run(); err != nil {
		return p, fmt.Errorf("for this machine: %w", err)
	}
	for _, one := range []struct {
		to   *[]byte
		args []string
	}{{&p.man, []string{"manual"}}, {&p.bash, []string{"completion", "bash"}}, {&p.zsh, []string{"completion", "zsh"}}, {&p.fish, []string{"completion", "fish"}}} {
		cmd := exec.Command(program, one.args...)
		cmd.Stderr = os.Stderr
		if *one.to, err = cmd.Output(); err != nil {
			return p, fmt.Errorf("copse %s: %w", strings.Join(one.args, " "), err)
		}
	}
	return p, nil
}
