package main

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the format wants it
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/google/rpmpack"
)

// What packages bring besides the program, and what they do when they come and go.
var (
	//go:embed package/copse.env
	settings []byte
	//go:embed package/user.sh
	userScript string
	//go:embed package/folder.sh
	folderScript string
	//go:embed package/first.sh
	firstScript string
	//go:embed package/again.sh
	againScript string
	//go:embed package/stop.sh
	stopScript string
	//go:embed package/gone.sh
	goneScript string
)

const (
	settingsFile = "/etc/copse.env"
	summary      = "Board games about trees, as one server"
	description  = "Copse serves Bosk, GrandBois and Tree Society: a page to play them in the browser, against bots or with friends, tables that are kept, and an API for programs. It is one program that needs nothing else."
)

// unit is a unit of systemd as a package installs it: where the program lies then, and
// with a user of its own in place of one that systemd makes up.
func (m *maker) unit(name string) ([]byte, error) {
	raw, err := os.ReadFile(m.path("contrib/" + name))
	if err != nil {
		return nil, err
	}
	text := string(raw)
	if i := strings.Index(text, "[Unit]"); i >= 0 { // before it stands how to install it by hand
		text = text[i:]
	}
	if !strings.HasSuffix(name, ".service") {
		return []byte(text), nil
	}
	for _, change := range [][2]string{{"/usr/local/bin/copse ", "/usr/bin/copse "}, {"User=copse\nDynamicUser=yes\n", "DynamicUser=yes\n"}, {"DynamicUser=yes\n", "User=copse\nGroup=copse\n"}} {
		if change[0] != "User=copse\nDynamicUser=yes\n" && strings.Count(text, change[0]) != 1 {
			return nil, fmt.Errorf("%s says %q %d times, and not once", name, change[0], strings.Count(text, change[0]))
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return []byte(text), nil
}

// installed are the files of a package. zsh looks for completions elsewhere on every
// system.
func (m *maker) installed(binary []byte, p printed, zsh string) ([]file, error) {
	man, err := packed(p.man)
	if err != nil {
		return nil, err
	}
	files := []file{
		{name: "/usr/bin/copse", mode: 0o755, raw: binary},
		{name: settingsFile, mode: 0o644, raw: settings},
		{name: "/usr/share/man/man1/copse.1.gz", mode: 0o644, raw: man},
		{name: "/usr/share/bash-completion/completions/copse", mode: 0o644, raw: p.bash},
		{name: zsh, mode: 0o644, raw: p.zsh},
		{name: "/usr/share/fish/vendor_completions.d/copse.fish", mode: 0o644, raw: p.fish},
	}
	for _, name := range []string{"copse.service", "copse.socket", "copse-backup.service", "copse-backup.timer"} {
		raw, err := m.unit(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "/usr/lib/systemd/system/" + name, mode: 0o644, raw: raw})
	}
	documents, err := m.documents()
	if err != nil {
		return nil, err
	}
	for _, d := range documents {
		switch path.Ext(d.name) {
		case ".service", ".socket", ".timer": // they are in place
		default:
			files = append(files, file{name: "/usr/share/doc/copse/" + d.name, mode: 0o644, raw: d.raw})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// deb writes a package for Debian: an ar of a version, what is told of the package, and
// its files.
func (m *maker) deb(t target, binary []byte, p printed) error {
	files, err := m.installed(binary, p, "/usr/share/zsh/vendor-completions/_copse")
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(m.path("LICENSE"))
	if err != nil {
		return err
	}
	notices, err := os.ReadFile(m.path(noticesFile))
	if err != nil {
		return err
	}
	files = append(files, file{name: "/usr/share/doc/copse/copyright", mode: 0o644, raw: slices.Concat(licence, []byte("\n\n"), notices)})
	size, sums := 0, ""
	data := []file{}
	for _, f := range files {
		f.name = "." + f.name
		data = append(data, f)
		size += (len(f.raw) + 1023) / 1024
		if "."+settingsFile != f.name {
			sums += fmt.Sprintf("%x  %s\n", md5.Sum(f.raw), strings.TrimPrefix(f.name, "./")) //nolint:gosec // the format wants it
		}
	}
	control := strings.Join([]string{
		"Package: copse", "Version: " + m.calls, "Architecture: " + t.deb, "Maintainer: The Copse contributors", "Section: games", "Priority: optional",
		"Depends: passwd", fmt.Sprintf("Installed-Size: %d", size), "Description: " + summary, " " + description, "",
	}, "\n")
	sh := func(text string) []byte { return []byte("#!/bin/sh\nset -e\n" + text) }
	about, err := tarred([]file{
		{name: "./control", mode: 0o644, raw: []byte(control)},
		{name: "./conffiles", mode: 0o644, raw: []byte(settingsFile + "\n")},
		{name: "./md5sums", mode: 0o644, raw: []byte(sums)},
		// Whether it was there before only preinst is told: to postinst a package that was
		// removed, and has left its settings, looks like one that is upgraded.
		{name: "./preinst", mode: 0o755, raw: sh("[ \"$1\" != install ] || : >/run/copse.first\n")},
		{name: "./postinst", mode: 0o755, raw: sh("[ \"$1\" = configure ] || exit 0\n" + userScript + folderScript + "if [ -e /run/copse.first ]; then\nrm /run/copse.first\n" + firstScript + "else\n" + againScript + "fi\n")},
		{name: "./prerm", mode: 0o755, raw: sh("[ \"$1\" = remove ] || exit 0\n" + stopScript)},
		{name: "./postrm", mode: 0o755, raw: sh(goneScript + "if [ \"$1\" = purge ] && [ -e /var/lib/copse ]; then\n\techo \"The games in /var/lib/copse are kept: remove the folder yourself if nobody wants them.\"\nfi\n")},
	}, m.at)
	if err != nil {
		return err
	}
	content, err := tarred(data, m.at)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, one := range []struct {
		name string
		raw  []byte
		pack bool
	}{{"debian-binary", []byte("2.0\n"), false}, {"control.tar.gz", about, true}, {"data.tar.gz", content, true}} {
		if one.pack {
			if one.raw, err = packed(one.raw); err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", one.name, m.at.Unix(), 0, 0, 0o100644, len(one.raw))
		b.Write(one.raw)
		if len(one.raw)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return m.write(fmt.Sprintf("copse_%s_%s.deb", m.calls, t.deb), b.Bytes())
}

// rpm writes a package for Fedora, openSUSE and their like.
func (m *maker) rpm(t target, binary []byte, p printed) error {
	files, err := m.installed(binary, p, "/usr/share/zsh/site-functions/_copse")
	if err != nil {
		return err
	}
	r, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "copse", Version: m.calls, Release: "1", Arch: t.rpm, OS: "linux", Summary: summary, Description: description,
		Licence: "Apache-2.0", Packager: "The Copse contributors", Group: "Amusements/Games", Compressor: "gzip:9", BuildTime: m.at, BuildHost: "localhost",
		Requires: rpmpack.Relations{{Name: "/usr/sbin/useradd"}, {Name: "/bin/sh"}},
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		kind := rpmpack.GenericFile
		switch {
		case f.name == settingsFile:
			kind = rpmpack.ConfigFile | rpmpack.NoReplaceFile
		case strings.HasSuffix(f.name, "/LICENSE"), strings.HasSuffix(f.name, "/licences.txt"):
			kind = rpmpack.LicenceFile
		case strings.HasPrefix(f.name, "/usr/share/doc/"), strings.HasPrefix(f.name, "/usr/share/man/"):
			kind = rpmpack.DocFile
		}
		r.AddFile(rpmpack.RPMFile{Name: f.name, Body: f.raw, Mode: uint(f.mode), Owner: "root", Group: "root", MTime: uint32(m.at.Unix()), Type: kind})
	}
	// An upgrade runs what comes first and what goes afterwards: the number is how many
	// of the package are there then.
	r.AddPrein("set -e\n" + userScript)
	r.AddPostin("set -e\n" + folderScript + "if [ \"$1\" = 1 ]; then\n" + firstScript + "else\n" + againScript + "fi\n")
	r.AddPreun("set -e\nif [ \"$1\" = 0 ]; then\n" + stopScript + "fi\n")
	r.AddPostun(goneScript)
	var b bytes.Buffer
	err = r.Write(&b)
	return errors.Join(err, m.write(fmt.Sprintf("copse-%s-1.%s.rpm", m.calls, t.rpm), b.Bytes()))
}
