package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestTheSameBytesFromTwoFolders builds copse as it is released, from two folders in
// which there is no repository, and compares: nothing of the folder is in it, it is
// linked without C, and it says of which commit it is all the same.
func TestTheSameBytesFromTwoFolders(t *testing.T) {
	t.Parallel()
	const stamp = "0123456789abcdef0123456789abcdef01234567 1700000000\n" // as git archive writes it
	var built [][]byte
	for _, name := range []string{"a", "another/and/deeper"} {
		folder := filepath.Join(t.TempDir(), filepath.FromSlash(name), "copse")
		copyTree(t, "../..", folder)
		if err := os.WriteFile(filepath.Join(folder, ".stamp"), []byte(stamp), 0o644); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "copse")
		cmd := exec.Command("bash", filepath.Join(folder, "tools", "build.sh"), file) // which make needs anyway
		cmd.Env = append(os.Environ(), "TZ=Asia/Tokyo", "GIT_CEILING_DIRECTORIES="+folder)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(filepath.Dir(folder))) {
			t.Errorf("its folder is in the binary")
		}
		out, err := exec.Command(file, "--version").Output()
		if want := "copse " + release + " (0123456789ab, 2023-11-14)\n"; err != nil || string(out) != want {
			t.Errorf("it says %q, %v, want %q", out, err, want)
		}
		built = append(built, raw)
	}
	if !bytes.Equal(built[0], built[1]) {
		t.Errorf("the same source gives %x in one folder and %x in the other", sha256.Sum256(built[0]), sha256.Sum256(built[1]))
	}
	if runtime.GOOS != "linux" {
		return
	}
	binary, err := elf.NewFile(bytes.NewReader(built[0]))
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(binary.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("the binary needs a dynamic linker")
	}
}

// TestTheStampTellsTheCommit: of a repository, and whether anything was changed since;
// of a source archive; and nothing where nobody knows.
func TestTheStampTellsTheCommit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "TZ=Asia/Tokyo", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE=1700000000 +0900", "GIT_COMMITTER_DATE=1700000000 +0900",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v: %s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	script, err := os.ReadFile("../../tools/stamp.sh")
	if err != nil {
		t.Fatal(err)
	}
	template, err := os.ReadFile("../../.stamp")
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := os.ReadFile("../../.gitattributes")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("tools/stamp.sh", string(script), 0o755)
	write(".stamp", string(template), 0o644)
	write(".gitattributes", string(attributes), 0o644)
	if got := run("tools/stamp.sh"); got != "" {
		t.Errorf("where nobody knows it says %q", got)
	}
	run("git", "init", "-q")
	run("git", "add", "-A")
	run("git", "commit", "-q", "-m", "first")
	commit := run("git", "rev-parse", "HEAD")
	clean := "-X main.commit=" + commit + " -X main.date=2023-11-14T22:13:20Z -X main.changed="
	if got := run("tools/stamp.sh"); got != strings.TrimSpace(clean) {
		t.Errorf("of a repository it says %q, want %q", got, clean)
	}
	if got := run("tools/stamp.sh", "date"); got != "1700000000" {
		t.Errorf("the date is %q", got)
	}
	write("new", "", 0o644)
	if got := run("tools/stamp.sh"); got != clean+"true" {
		t.Errorf("with a new file it says %q", got)
	}
	run("sh", "-c", "git archive HEAD | (mkdir out && cd out && tar x)")
	folder = filepath.Join(folder, "out")
	if got := run("tools/stamp.sh"); got != strings.TrimSpace(clean) {
		t.Errorf("of a source archive it says %q, want %q", got, clean)
	}
}

// copyTree copies what is built from, without what a build or git has made, except the
// page. Files are linked where they can be.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "bin", "dist", "testdata", filepath.Join("web", "node_modules"), filepath.Join("web", "build"), filepath.Join("docs", "pictures")}, name) ||
				slices.Contains([]string{"testdata"}, d.Name()) {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		if d.Name() == ".git" || d.Name() == ".stamp" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		if os.Link(file, filepath.Join(to, name)) == nil {
			return nil
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), raw, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
}
