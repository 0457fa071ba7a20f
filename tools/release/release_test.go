package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTheNoticesAreOfWhatIsLinked: web/public/licences.txt tells the licence of
// everything that is linked now, for every machine, and of all that npm puts into the
// page.
func TestTheNoticesAreOfWhatIsLinked(t *testing.T) {
	m, err := newMaker("../..", t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := m.notices()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(m.path(noticesFile))
	if err != nil || string(kept) != fresh {
		t.Errorf("%s is not what is linked now (%v): run make notices", noticesFile, err)
	}
	for _, want := range []string{"modernc.org/sqlite (", "svelte (MIT)", "@fontsource-variable/fraunces (OFL-1.1)", "Go, its standard library and runtime (BSD-3-Clause)", "github.com/mattn/go-isatty (MIT)"} {
		if !strings.Contains(fresh, want) {
			t.Errorf("the notices lack %s", want)
		}
	}
}

// TestALicenceIsKnownByItsText: and what nobody knows stops a release.
func TestALicenceIsKnownByItsText(t *testing.T) {
	for text, want := range map[string][]string{
		"Permission is hereby granted,\nfree of charge, to any person obtaining a copy of this software":    {"MIT"},
		"Redistribution and use in source and binary forms are. Neither the name of":                        {"BSD-3-Clause"},
		"Redistribution and use in source and binary forms are":                                             {"BSD-2-Clause"},
		"Apache License\n  Version 2.0, January 2004":                                                       {"Apache-2.0"},
		"Permission is hereby granted, free of charge, to any person obtaining a copy of the Font Software": nil,
		"All rights reserved.": nil,
	} {
		if got := spdxOf(text); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if _, err := (part{name: "odd", licences: []licence{{"LICENSE", "Ask first."}}}).spdx(); err == nil {
		t.Error("a licence that nobody knows is let through")
	}
}

// TestEveryUnitIsForAPackage: it runs the program where the package puts it, as the
// user that the package makes, and says nothing of how to install it by hand.
func TestEveryUnitIsForAPackage(t *testing.T) {
	m := &maker{root: "../.."}
	for _, name := range []string{"copse.service", "copse.socket", "copse-backup.service", "copse-backup.timer"} {
		raw, err := m.unit(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if !strings.HasPrefix(text, "[Unit]\n") || strings.Contains(text, "/usr/local") || strings.Contains(text, "DynamicUser") {
			t.Errorf("%s:\n%s", name, text)
		}
		if strings.HasSuffix(name, ".service") && (strings.Count(text, "\nUser=copse\n") != 1 || strings.Count(text, "\nGroup=copse\n") != 1 || !strings.Contains(text, "ExecStart=/usr/bin/copse ")) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestFilesLieInTheirFolders: an archive has every folder once, before what is in it,
// and the time and owners that were asked for.
func TestFilesLieInTheirFolders(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	files := []file{{name: "./b/c/d", mode: 0o755, raw: []byte("d")}, {name: "./a", mode: 0o644, raw: []byte("a")}, {name: "./b/e/", mode: 0o700, owner: 7}}
	raw, err := tarred(files, at)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(bytes.NewReader(raw)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || !h.ModTime.Equal(at) || h.Uid != map[string]int{"./b/e/": 7}[h.Name] {
			t.Fatalf("%v, %+v", err, h)
		}
		names = append(names, h.Name)
	}
	if want := []string{"./a", "./b/", "./b/c/", "./b/c/d", "./b/e/"}; !slices.Equal(names, want) {
		t.Errorf("the tar has %q, want %q", names, want)
	}
	if raw, err = zipped([]file{{name: "x/y.exe", mode: 0o755, raw: []byte("y")}}, at); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "x/" || z.File[1].Name != "x/y.exe" || z.File[1].Mode() != 0o755 || !z.File[1].Modified.Equal(at) {
		t.Errorf("the zip: %v, %+v", err, z)
	}
}

// TestALayoutHoldsWhatItNames: every digest of the image is that of a file in it.
func TestALayoutHoldsWhatItNames(t *testing.T) {
	m := &maker{root: "../..", out: t.TempDir(), version: "1.2.3", at: time.Unix(1_700_000_000, 0).UTC()}
	machines := targets()[:4]
	var images []image
	for _, one := range machines {
		images = append(images, image{one, []byte("a program for " + one.String())})
	}
	if err := m.layout(images); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(m.out + "/copse-1.2.3-oci.tar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(raw)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	read := func(d descriptor, into any) {
		t.Helper()
		var again blobs
		raw, ok := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if got := again.add("", raw); !ok || got.Digest != d.Digest || got.Size != d.Size {
			t.Fatalf("%+v is not there, or another: %+v", d, got)
		}
		if err := json.Unmarshal(raw, into); err != nil && into != nil {
			t.Fatal(err)
		}
	}
	var top, all index
	if err := json.Unmarshal(files["index.json"], &top); err != nil {
		t.Fatal(err)
	}
	read(top.Manifests[0], &all)
	if len(all.Manifests) != len(machines) || top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" {
		t.Fatalf("%+v", top)
	}
	for i, one := range all.Manifests {
		var man manifest
		var config imageConfig
		read(one, &man)
		read(man.Config, &config)
		if one.Platform.Architecture != machines[i].image || config.Architecture != machines[i].image || config.Config.User != "65532:65532" || len(man.Layers) != 1 || len(config.RootFS.DiffIDs) != 1 {
			t.Errorf("%+v, %+v", one, config)
		}
	}
}
