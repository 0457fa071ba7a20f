package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file, or a folder where its name ends in a slash, as an archive has it.
type file struct {
	name  string
	mode  int64
	raw   []byte
	owner int // of an image alone
}

// documents are what of the repository travels with every binary.
func (m *maker) documents() ([]file, error) {
	names := []string{"LICENSE", "README.md", "CHANGELOG.md", "CREDITS.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "contrib/*.service", "contrib/*.socket", "contrib/*.timer", "contrib/nginx.conf", "contrib/Caddyfile", "contrib/prometheus/*", "contrib/grafana/*"} {
		found, err := filepath.Glob(m.path(pattern))
		if err != nil || len(found) == 0 {
			return nil, errors.Join(err, fmt.Errorf("there is no %s", pattern))
		}
		for _, f := range found {
			name, err := filepath.Rel(m.root, f)
			if err != nil {
				return nil, err
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	slices.Sort(names)
	var list []file
	for _, name := range names {
		raw, err := os.ReadFile(m.path(name))
		if err != nil {
			return nil, err
		}
		list = append(list, file{name: name, mode: 0o644, raw: raw})
	}
	raw, err := os.ReadFile(m.path(noticesFile))
	return append(list, file{name: "licences.txt", mode: 0o644, raw: raw}), err
}

// archive writes the archive for a machine: a zip for Windows, else a tar.
func (m *maker) archive(t target, binary []byte, p printed) error {
	files, err := m.documents()
	if err != nil {
		return err
	}
	name := "copse"
	if t.os == "windows" {
		name += ".exe"
	}
	files = append(files, file{name: name, mode: 0o755, raw: binary}, file{name: "copse.1", mode: 0o644, raw: p.man},
		file{name: "completions/copse.bash", mode: 0o644, raw: p.bash}, file{name: "completions/_copse", mode: 0o644, raw: p.zsh}, file{name: "completions/copse.fish", mode: 0o644, raw: p.fish})
	folder := fmt.Sprintf("copse-%s-%s", m.version, t)
	for i := range files {
		files[i].name = folder + "/" + files[i].name
	}
	if t.os == "windows" {
		raw, err := zipped(files, m.at)
		return errors.Join(err, m.write(folder+".zip", raw))
	}
	raw, err := tarred(files, m.at)
	if err != nil {
		return err
	}
	raw, err = packed(raw)
	return errors.Join(err, m.write(folder+".tar.gz", raw))
}

// write writes a file of the release.
func (m *maker) write(name string, raw []byte) error {
	return os.WriteFile(filepath.Join(m.out, name), raw, 0o644)
}

// withFolders adds the folders that files lie in, and sorts them all.
func withFolders(files []file) []file {
	known := map[string]bool{}
	for _, f := range files {
		known[f.name] = true
	}
	for _, f := range files {
		here := ""
		if strings.HasPrefix(f.name, "./") {
			here = "./"
		}
		for folder := path.Dir(strings.TrimSuffix(f.name, "/")); folder != "." && folder != "/"; folder = path.Dir(folder) {
			if name := here + folder + "/"; !known[name] {
				known[name] = true
				files = append(files, file{name: name, mode: 0o755})
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// tarred is files as a tar, all of one time, nobody's but root's.
func tarred(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range withFolders(slices.Clone(files)) {
		h := &tar.Header{Name: f.name, Mode: f.mode, ModTime: at, Size: int64(len(f.raw)), Typeflag: tar.TypeReg, Uid: f.owner, Gid: f.owner, Format: tar.FormatUSTAR}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if f.owner == 0 {
			h.Uname, h.Gname = "root", "root"
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.raw); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// packed is bytes in gzip, without a time or a name.
func packed(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(raw)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// zipped is files as a zip, all of one time.
func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range withFolders(slices.Clone(files)) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(f.mode))
		if strings.HasSuffix(f.name, "/") {
			h.Method = zip.Store
			h.SetMode(os.ModeDir | os.FileMode(f.mode))
		}
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.raw); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// source writes the source as the commit has it, with the commit's name and date in
// .stamp. Where there is no repository there is none: whoever builds has it already.
func (m *maker) source() error {
	if _, err := os.Stat(m.path(".git")); err != nil {
		return nil
	}
	folder := "copse-" + m.version
	cmd := exec.Command("git", "archive", "--format=tar", "--prefix="+folder+"/", "HEAD")
	cmd.Dir, cmd.Stderr = m.root, os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git archive: %w", err)
	}
	raw, err = packed(raw)
	return errors.Join(err, m.write(folder+"-source.tar.gz", raw))
}

// checksums writes down what every file must be, as sha256sum reads it.
func (m *maker) checksums() error {
	list, err := os.ReadDir(m.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range list {
		raw, err := os.ReadFile(filepath.Join(m.out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(raw), f.Name())
	}
	return m.write("SHA256SUMS", []byte(b.String()))
}
