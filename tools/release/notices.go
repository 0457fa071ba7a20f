package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// noticesFile is the licences of everything that is linked. The page hands it out at
// /licences.txt.
const noticesFile = "web/public/licences.txt"

// part is something that others have made and that is in what we hand out.
type part struct {
	name, version string
	purl          string
	licences      []licence
	sha512        string // of what the registry hands out, in hexadecimal; where it is known
	sum           string // as go.sum has it; likewise
}

// licence is a text that must travel with a part.
type licence struct {
	file string
	text string
}

// spdx are the licences of a part as SPDX names them.
func (p part) spdx() (list []string, err error) {
	for _, l := range p.licences {
		for _, id := range spdxOf(l.text) {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the licence of %s is none that this program knows: look at it, and teach it to spdxOf", p.name)
	}
	return list, nil
}

// spdxOf are the names of the licences in a text; none for a notice, or where nobody
// here has met it yet.
func spdxOf(text string) (list []string) {
	text = strings.Join(strings.Fields(text), " ")
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	add := func(id string, found bool) {
		if found {
			list = append(list, id)
		}
	}
	bsd := has("Redistribution and use in source and binary forms")
	add("OFL-1.1", has("SIL OPEN FONT LICENSE Version 1.1"))
	add("Apache-2.0", has("Apache License Version 2.0, January 2004", "Licensed under the Apache License, Version 2.0"))
	add("MIT", has("Permission is hereby granted, free of charge, to any person obtaining a copy of this software"))
	add("ISC", has("Permission to use, copy, modify, and/or distribute this software for any purpose", "Permission to use, copy, modify, and distribute this software for any purpose"))
	add("BSD-3-Clause", bsd && has("Neither the name", "The name of the author may not be used", "names of its contributors"))
	add("BSD-2-Clause", bsd && !has("Neither the name", "The name of the author may not be used", "names of its contributors"))
	add("MPL-2.0", has("Mozilla Public License Version 2.0"))
	add("blessing", has("SQLite") && has("public domain"))
	return list
}

// telling is the name of a file that says under which terms something may be handed
// on.
var telling = regexp.MustCompile(`(?i)(licen[cs]e|copying|copyright|notice|patents)`)

// licencesIn are such files of folders, by their path below the first of them.
func licencesIn(root string, folders ...string) (list []licence, err error) {
	for _, folder := range folders {
		found, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !f.Type().IsRegular() || !telling.MatchString(f.Name()) || slices.Contains([]string{".go", ".py", ".sh"}, filepath.Ext(f.Name())) {
				continue
			}
			raw, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(root, filepath.Join(folder, f.Name()))
			if err != nil {
				return nil, err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n"))
			if !slices.ContainsFunc(list, func(l licence) bool { return l.text == text }) {
				list = append(list, licence{filepath.ToSlash(name), text})
			}
		}
	}
	return list, nil
}

// listed is a package as `go list` tells of it.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir, Sum string
		Main                    bool
		Replace                 *struct{ Path string }
	}
}

// modules are the modules of which something is linked, for any machine that there is
// a release for, with the licences of every folder from which something comes.
func (m *maker) modules() ([]part, error) {
	parts, folders := map[string]*part{}, map[string][]string{}
	roots := map[string]string{}
	for _, t := range targets() {
		cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", "./cmd/copse")
		var told bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stderr = m.root, t.env(), &told
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w: %s", t, err, told.String())
		}
		for from := json.NewDecoder(bytes.NewReader(out)); ; {
			var p listed
			if err := from.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Standard || p.Module == nil || p.Module.Main {
				continue
			}
			if p.Module.Replace != nil {
				return nil, fmt.Errorf("%s is replaced: say in its place what is really linked", p.Module.Path)
			}
			id := p.Module.Path
			if parts[id] == nil {
				parts[id] = &part{name: id, version: p.Module.Version, purl: "pkg:golang/" + id + "@" + p.Module.Version, sum: p.Module.Sum}
				roots[id] = p.Module.Dir
			}
			for folder := p.Dir; ; folder = filepath.Dir(folder) {
				if !slices.Contains(folders[id], folder) {
					folders[id] = append(folders[id], folder)
				}
				if folder == p.Module.Dir {
					break
				}
			}
		}
	}
	var list []part
	for id, p := range parts {
		slices.Sort(folders[id]) // the module itself first
		var err error
		if p.licences, err = licencesIn(roots[id], folders[id]...); err != nil {
			return nil, err
		}
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// goItself is the standard library and the runtime, as they are linked. Its version is
// left out of the notices: they are the same with the next.
func (m *maker) goItself() (part, error) {
	said := func(what string) (string, error) {
		cmd := exec.Command("go", "env", what)
		cmd.Dir = m.root
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	root, err := said("GOROOT")
	if err != nil {
		return part{}, err
	}
	version, err := said("GOVERSION")
	if err != nil {
		return part{}, err
	}
	version = strings.TrimPrefix(version, "go")
	p := part{name: "Go, its standard library and runtime", version: version, purl: "pkg:golang/std@" + version}
	for _, name := range []string{"LICENSE", "PATENTS"} {
		raw, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return part{}, err
		}
		p.licences = append(p.licences, licence{name, strings.TrimSpace(string(raw))})
	}
	return p, nil
}

// npm are the packages of the page, as its build has noted them.
func (m *maker) npm() (list []part, err error) {
	raw, err := os.ReadFile(m.path("web/build/linked.json"))
	if err != nil {
		return nil, fmt.Errorf("the page is not built: run make build (%w)", err)
	}
	var names []string
	if err := json.Unmarshal(raw, &names); err != nil {
		return nil, err
	}
	if raw, err = os.ReadFile(m.path("web/package-lock.json")); err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := json.Unmarshal(raw, &lock); err != nil {
		return nil, err
	}
	for _, name := range names {
		known, ok := lock.Packages["node_modules/"+name]
		if !ok {
			return nil, fmt.Errorf("web/package-lock.json does not know %s", name)
		}
		p := part{name: name, version: known.Version, purl: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + known.Version}
		if sum, ok := strings.CutPrefix(known.Integrity, "sha512-"); ok {
			bytes, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return nil, err
			}
			p.sha512 = hex.EncodeToString(bytes)
		}
		folder := m.path("web/node_modules/" + name)
		if p.licences, err = licencesIn(folder, folder); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// parts are everything that others have made and that is in what we hand out.
func (m *maker) parts() ([]part, error) {
	std, err := m.goItself()
	if err != nil {
		return nil, err
	}
	page, err := m.npm()
	if err != nil {
		return nil, err
	}
	modules, err := m.modules()
	if err != nil {
		return nil, err
	}
	list := append(append([]part{std}, page...), modules...)
	for _, p := range list {
		if len(p.licences) == 0 {
			return nil, fmt.Errorf("%s comes without a licence", p.name)
		}
	}
	return list, nil
}

// notices are the licences of all parts in full. A text that several have is told once.
func (m *maker) notices() (string, error) {
	list, err := m.parts()
	if err != nil {
		return "", err
	}
	type told struct {
		text string
		by   []string
	}
	var texts []*told
	for _, p := range list {
		ids, err := p.spdx()
		if err != nil {
			return "", err
		}
		for _, l := range p.licences {
			name := p.name + " (" + strings.Join(ids, ", ") + ")"
			if l.file != "LICENSE" {
				name += ", " + l.file
			}
			if i := slices.IndexFunc(texts, func(t *told) bool { return t.text == l.text }); i >= 0 {
				texts[i].by = append(texts[i].by, name)
				continue
			}
			texts = append(texts, &told{l.text, []string{name}})
		}
	}
	var b strings.Builder
	b.WriteString("Copse is under the Apache License 2.0. What others have made and what is in its binary or travels with its page has licences of its own:\n")
	for _, t := range texts {
		line := strings.Repeat("=", 72)
		b.WriteString("\n\n" + line + "\n" + strings.Join(t.by, "\n") + "\n" + line + "\n\n" + t.text + "\n")
	}
	return b.String(), nil
}
