package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// entrance is the file that answers for every page: the page itself reads from its
// address what to show.
const entrance = "index.html"

const (
	notHere  = "Copse has no such file. If a page asked for it, the page is from another version: reload it."
	notBuilt = "This copse was built without its page: build and start it with “make run”."
)

// site is the files of a page, by their path without the first slash.
type site map[string]*file

// file is one file in every form in which it may be sent.
type file struct {
	mime   string
	cache  string
	forms  map[string]form
	offers []string // the names of the forms, best first
}

// form is a file in one encoding.
type form struct {
	bytes func() ([]byte, error)
	tag   string // a strong ETag: another for each encoding
}

// formOf says which file in which form a name stands for: compressed ones lie
// beside a file, or in its place.
func formOf(name string) (base, encoding string) {
	if base, ok := strings.CutSuffix(name, ".br"); ok {
		return base, brotli
	}
	if base, ok := strings.CutSuffix(name, ".gz"); ok {
		return base, gzipped
	}
	return name, identity
}

// readSite reads the files of a page. It leaves out names that begin with a dot.
func readSite(page fs.FS) (site, error) {
	s := site{}
	err := fs.WalkDir(page, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == "." && errors.Is(err, fs.ErrNotExist):
			return nil // no page was built
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		raw, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		base, encoding := formOf(name)
		s.add(base, encoding, raw)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, f := range s {
		if err := f.settle(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// add adds one form of a file.
func (s site) add(name, encoding string, raw []byte) {
	f := s[name]
	if f == nil {
		f = &file{mime: mime(name), cache: "no-cache", forms: map[string]form{}}
		if strings.HasPrefix(name, "assets/") { // their names change with what is in them
			f.cache = "public, max-age=31536000, immutable"
		}
		s[name] = f
	}
	f.forms[encoding] = form{bytes: func() ([]byte, error) { return raw, nil }, tag: tag(raw, encoding)}
}

// packed is a file that is made while the server runs: as it is, and compressed when
// somebody first wants it so.
func packed(mime string, raw []byte) *file {
	return &file{mime: mime, cache: "no-cache", offers: []string{gzipped, identity}, forms: map[string]form{
		identity: {bytes: func() ([]byte, error) { return raw, nil }, tag: tag(raw, identity)},
		gzipped:  {bytes: sync.OnceValues(func() ([]byte, error) { return pack(raw) }), tag: tag(raw, gzipped)},
	}}
}

func pack(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(raw)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// settle makes sure that everyone can have the file: a client that takes nothing
// compressed gets what is in the gzip, unpacked when it is first asked for.
func (f *file) settle() error {
	if _, ok := f.forms[identity]; !ok {
		packed, ok := f.forms[gzipped]
		if !ok {
			return errors.New("there is only a .br of it: add a .gz or the file itself, for clients that cannot read it")
		}
		raw, err := packed.bytes()
		if err != nil {
			return err
		}
		f.forms[identity] = form{bytes: sync.OnceValues(func() ([]byte, error) { return unpack(raw) }), tag: tag(raw, identity)}
	}
	for _, encoding := range []string{brotli, gzipped, identity} {
		if _, ok := f.forms[encoding]; ok {
			f.offers = append(f.offers, encoding)
		}
	}
	return nil
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// tag is an ETag: the same for the same bytes in the same form, in every process,
// and never for others.
func tag(raw []byte, encoding string) string {
	sum := sha256.Sum256(raw)
	return `"` + hex.EncodeToString(sum[:12]) + "-" + encoding + `"`
}

// mime is what a file is, by its name. The system's own list is not asked: it
// differs from system to system.
func mime(name string) string {
	known := map[string]string{
		".css":         "text/css; charset=utf-8",
		".html":        "text/html; charset=utf-8",
		".ico":         "image/x-icon",
		".jpg":         "image/jpeg",
		".js":          "text/javascript; charset=utf-8",
		".json":        "application/json",
		".map":         "application/json",
		".mjs":         "text/javascript; charset=utf-8",
		".png":         "image/png",
		".svg":         "image/svg+xml; charset=utf-8",
		".txt":         "text/plain; charset=utf-8",
		".wasm":        "application/wasm",
		".webmanifest": "application/manifest+json",
		".webp":        "image/webp",
		".woff2":       "font/woff2",
	}
	if m, ok := known[path.Ext(name)]; ok {
		return m
	}
	return "application/octet-stream"
}

// ServeHTTP answers with the file in the form that the client wants most, or
// tells it that the one it has is still good.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.answer(w, r, http.StatusOK) }

// answer answers with the file and a status.
func (f *file) answer(w http.ResponseWriter, r *http.Request, status int) {
	encoding := choose(strings.Join(r.Header.Values("Accept-Encoding"), ","), f.offers)
	form := f.forms[encoding]
	h := w.Header()
	h.Set("Cache-Control", f.cache)
	h.Set("ETag", form.tag)
	if len(f.offers) > 1 {
		h.Add("Vary", "Accept-Encoding")
	}
	if status == http.StatusOK && has(r.Header.Values("If-None-Match"), form.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	raw, err := form.bytes()
	if err != nil {
		say(w, http.StatusInternalServerError, "This copse was built with a broken page: build it again with “make run”.")
		return
	}
	h.Set("Content-Type", f.mime)
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	if encoding != identity {
		h.Set("Content-Encoding", encoding)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(raw) // an error means that the client has hung up: there is nobody to tell
	}
}

// has tells whether a client already has the file with this tag. No tag of ours has
// a comma in it.
func has(lines []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == tag {
			return true
		}
	}
	return false
}
