package server

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"copse/server/hall"
	"copse/store"
)

// What docs/asvs.md says of secrets, of types and of ways in, each held here. That its
// rows name tests which exist is held in asvs_test.go of the whole project.

// bits is how many bits a text has of which every letter is drawn from so many.
func bits(letters, length int) float64 { return math.Log2(float64(letters)) * float64(length) }

// TestSecretsCannotBeGuessed: a session, a token and a code have as many bits as what is
// kept of them asks for, and no two are alike, at no place.
func TestSecretsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := &Server{Options: Options{Key: []byte("k")}}
	if 8*(secretBytes-sealBytes) < 128 {
		t.Errorf("a session has %d bits", 8*(secretBytes-sealBytes))
	}
	if got := bits(len(codeLetters), recoveryLength); got < 112 { // with fewer a plain hash is not enough
		t.Errorf("a recovery code has %.0f bits", got)
	}
	if got := bits(len(codeLetters), codeLength); got < 20 {
		t.Errorf("a code has %.0f bits", got)
	}
	plain, unique := map[string]bool{}, map[rune]bool{}
	for _, r := range codeLetters {
		unique[r] = true
	}
	if len(unique) != len(codeLetters) {
		t.Error("a letter is there twice")
	}
	varied := func(what string, made []string) {
		for i := range made[0] {
			seen := map[byte]bool{}
			for _, one := range made {
				if len(one) != len(made[0]) {
					t.Fatalf("%s: one has %d letters, one %d", what, len(one), len(made[0]))
				}
				seen[one[i]] = true
			}
			if len(seen) < 8 && !seen['-'] {
				t.Errorf("%s: at %d there are only %d letters", what, i, len(seen))
			}
		}
		for _, one := range made {
			if plain[one] {
				t.Errorf("%s: there is one twice", what)
			}
			plain[one] = true
		}
	}
	var secrets, codes, recoveries []string
	for range 64 {
		secret := s.newSecret()
		raw, err := base64.RawURLEncoding.DecodeString(secret)
		if err != nil || len(raw) != secretBytes {
			t.Fatalf("%q is no secret: %v", secret, err)
		}
		secrets, codes = append(secrets, secret), append(codes, newCode())
		recovery, digests := newRecovery("a")
		for i, digest := range digests {
			if sum := sha256.Sum256([]byte("copse recovery 1\na\n" + plainCode(recovery[i]))); len(digest) != 2*len(sum) || len(plainCode(recovery[i])) != recoveryLength {
				t.Errorf("%s is kept as %s", recovery[i], digest)
			}
		}
		recoveries = append(recoveries, recovery...)
	}
	varied("sessions", secrets)
	varied("codes", codes)
	varied("recovery codes", recoveries)
}

// TestNoSecretIsDrawnFromWhatCanBeForetold: the files that make secrets draw from nothing
// but crypto/rand.
func TestNoSecretIsDrawnFromWhatCanBeForetold(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pass.go", "passkey.go", "member.go", "people.go", "hall/account.go", "hall/passes.go", "hall/member.go"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), `"math/rand`) {
			t.Errorf("%s draws by chance that can be foretold", name)
		}
	}
	// What a hall draws tests alone may change: tables' secrets and everybody's IDs.
	looked := 0
	for _, under := range []string{".", "../cmd"} {
		err := filepath.WalkDir(under, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "hall/hall.go" {
				return err
			}
			looked++
			raw, err := os.ReadFile(name)
			if regexp.MustCompile(`\bRandom\s*(:|=[^=])`).Match(raw) {
				t.Errorf("%s says what a hall draws", name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if looked < 100 {
		t.Errorf("%d files were looked at", looked)
	}
}

// TestTextsSayHowTheyAreWritten: every type that may be a text names its characters, by
// which no browser has to guess; JSON needs none, it is always UTF-8.
func TestTextsSayHowTheyAreWritten(t *testing.T) {
	t.Parallel()
	said := map[string]string{"a stream": eventStreamText}
	for _, end := range []string{".css", ".html", ".js", ".json", ".map", ".mjs", ".png", ".svg", ".txt", ".wasm", ".webmanifest", ".woff2", ".unheard-of"} {
		said["a file "+end] = mime("x" + end)
	}
	for _, e := range endpoints() {
		if e.mime != "" && e.mime != eventStream {
			said[e.name] = e.mime
		}
	}
	for what, kind := range said {
		text := strings.HasPrefix(kind, "text/") || strings.Contains(kind, "xml")
		if kind == "" || text != strings.HasSuffix(kind, "; charset=utf-8") {
			t.Errorf("%s says that it is %q", what, kind)
		}
	}
}

// TestWaysIn: the operations that make somebody of who asks, or give something by which
// others are somebody, are those that docs/asvs.md tells together, and no others; and
// nobody is signed in by following a link.
func TestWaysIn(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../docs/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(raw), "\n## Ways in\n")
	part, _, _ = strings.Cut(part, "\n## ")
	if !ok {
		t.Fatal("the document does not tell the ways in")
	}
	told := map[string]bool{}
	for line := range strings.Lines(part) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for _, name := range regexp.MustCompile("`([a-zA-Z]+)`").FindAllStringSubmatch(cells[1], -1) {
				told[name[1]] = true
			}
		}
	}
	// These set the cookie otherwise: they make a session longer that is there, end one, or
	// mark a browser that is nobody yet.
	others := []string{"me", "forget", "signOut", "signOutEverywhere", "endSession", "beginSignIn"}
	for _, e := range endpoints() {
		gives := e.cookie && !slices.Contains(others, e.name) || e.gives != nil && strings.Contains(e.gives.String(), "program") && e.gives.String() != "server.programsReply" || e.name == "code"
		if gives && e.method == get {
			t.Errorf("%s makes somebody of who follows a link", e.name)
		}
		if gives != told[e.name] {
			t.Errorf("%s is a way in: %v, and the document tells it: %v", e.name, gives, told[e.name])
		}
		delete(told, e.name)
	}
	for name := range told {
		t.Errorf("the document tells a way in %s that there is not", name)
	}
}

// days is a time in words.
func days(d time.Duration) string { return strconv.Itoa(int(d/(24*time.Hour))) + " days" }

// TestTimesAreThoseOfTheDocument: what docs/asvs.md says of how long sessions last, and how
// many there are, is so.
func TestTimesAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../docs/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| a member's session | " + days(memberRest) + " | " + days(memberTime) + " |",
		"| a guest's session | " + days(sessionTime) + " | none |",
		"| a program's token | none | " + days(hall.TokenTime) + " |",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("docs/asvs.md does not say %q", want)
		}
	}
	if want := "**" + strconv.Itoa(store.MostPasses) + " browsers**"; !strings.Contains(string(raw), want) {
		t.Errorf("docs/asvs.md does not say %q", want)
	}
}

// TestLimitsAreThoseOfTheDocument: what docs/host.md says of tries is so, and docs/asvs.md
// says the same.
func TestLimitsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	each := func(n int) string { return strconv.Itoa(n) + " a minute, and " + strconv.Itoa(inNetwork*n) + " |" }
	for file, wanted := range map[string][]string{
		"../docs/host.md": {
			"tokens and cookies that somebody makes up | " + each(guessesAMinute), "| codes for another device | " + each(codesAMinute),
			"| sign-ins by passkey that fail, and likewise recovery codes | " + each(signInsAMinute), "| passkeys and sets of recovery codes that they make | " + strconv.Itoa(passkeysAnHour) + " an hour |",
		},
		"../docs/asvs.md": {
			strconv.Itoa(signInsAMinute) + " failed tries a minute from an address; " + strconv.Itoa(passkeysAnHour) + " new passkeys an hour |",
			strconv.Itoa(codesAMinute) + " failed tries a minute from an address |", strconv.Itoa(codesAMinute) + " tries a minute from an address |",
			strconv.Itoa(guessesAMinute) + " made-up tokens a minute from an address |",
			fmt.Sprintf("%d random bits, good once and for %d minutes", int(bits(len(codeLetters), codeLength)), int(codeTime.Minutes())),
			fmt.Sprintf("one factor, written down: %d random bits", int(bits(len(codeLetters), recoveryLength))),
			fmt.Sprintf("within %d minutes of signing in", int(recentTime.Minutes())),
		},
	} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wanted {
			if !strings.Contains(string(raw), want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
}
