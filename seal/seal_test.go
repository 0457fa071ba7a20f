package seal

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"copse/store"
	"copse/store/sqlite"
)

func ring(t testing.TB, fill byte) *Ring {
	t.Helper()
	r, err := NewRing(bytes.Repeat([]byte{fill}, KeyLength))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOnlyItsPurposeAndPersonOpenASeal(t *testing.T) {
	r := ring(t, 1)
	for _, plain := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("secret "), 1000)} {
		sealed := r.Seal("push", "anna", plain)
		if got, err := r.Open("push", "anna", sealed); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes have come back as %d, %v", len(plain), len(got), err)
		}
		if len(plain) > 1 && bytes.Contains(sealed, []byte("secret")) {
			t.Error("it can be read")
		}
		if bytes.Equal(sealed, r.Seal("push", "anna", plain)) {
			t.Error("the same is sealed alike twice: who looks on can tell")
		}
		for _, other := range [][2]string{{"push", "ben"}, {"vapid", "anna"}, {"push", ""}, {"pusha", "nna"}, {"pus", "hanna"}} {
			if _, err := r.Open(other[0], other[1], sealed); !errors.Is(err, ErrSeal) {
				t.Errorf("for %v: %v", other, err)
			}
		}
		if _, err := ring(t, 2).Open("push", "anna", sealed); !errors.Is(err, ErrKey) {
			t.Errorf("with another key: %v", err)
		}
	}
	sealed := r.Seal("push", "anna", []byte("secret"))
	for i := range sealed {
		for bit := range 8 {
			harmed := bytes.Clone(sealed)
			harmed[i] ^= 1 << bit
			if _, err := r.Open("push", "anna", harmed); !errors.Is(err, ErrSeal) && !errors.Is(err, ErrKey) {
				t.Fatalf("bit %d of byte %d turned: %v", bit, i, err)
			}
		}
		if _, err := r.Open("push", "anna", sealed[:i]); !errors.Is(err, ErrSeal) {
			t.Errorf("cut after %d bytes: %v", i, err)
		}
	}
}

// TestWhatWasSealedOnceOpensForEver: databases are full of it. How keys are derived and
// what is written never changes; a new way gets another first byte.
func TestWhatWasSealedOnceOpensForEver(t *testing.T) {
	r := ring(t, 7)
	if got := r.Current().String(); got != wantID {
		t.Errorf("the key is called %s, want %s", got, wantID)
	}
	sealed, err := hex.DecodeString(kept)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Open("push", "anna", sealed); err != nil || string(got) != "for ever" {
		t.Errorf("it says %q, %v; sealed today: %x", got, err, r.Seal("push", "anna", []byte("for ever")))
	}
}

func TestARingGrowsAndIsTrimmed(t *testing.T) {
	r := ring(t, 1)
	first := r.Seal("push", "", []byte("first"))
	two := r.Grown()
	second := two.Seal("push", "", []byte("second"))
	three := two.Grown()
	if r.Len() != 1 || two.Len() != 2 || three.Len() != 3 || two.Current() == r.Current() || !three.Has(two.Current()) {
		t.Fatalf("rings have %d, %d and %d keys", r.Len(), two.Len(), three.Len())
	}
	for _, sealed := range [][]byte{first, second} {
		if _, err := three.Open("push", "", sealed); err != nil {
			t.Error(err)
		}
	}
	trimmed := three.Trimmed()
	if trimmed.Len() != 2 || trimmed.Current() != three.Current() || !bytes.Equal(trimmed.House(), r.House()) || r.Trimmed().Len() != 1 || two.Trimmed().Len() != 2 {
		t.Errorf("trimmed it has %d keys", trimmed.Len())
	}
	if _, err := trimmed.Open("push", "", second); !errors.Is(err, ErrKey) {
		t.Errorf("a key that was forgotten opens: %v", err)
	}
	back, err := Parse(three.Format())
	if err != nil || !back.Equal(three) || back.Equal(two) {
		t.Errorf("written and read it is another: %v", err)
	}
	if other := r.Grown(); other.Equal(two) {
		t.Error("two new keys are alike")
	}
}

func TestOnlyARingIsRead(t *testing.T) {
	one, two := strings.Repeat("0a", KeyLength), strings.Repeat("0b", KeyLength)
	for text, keys := range map[string]int{
		one: 1, one + "\n": 1, " " + one + " \r\n" + two + "\r\n": 2, strings.ToUpper(one): 1,
		"": 0, "\n": 0, one[2:]: 0, one + two: 0, one + "\n" + one: 0, one + "\n\n" + two: 0, one + "\nxx": 0, "g" + one[1:]: 0,
	} {
		r, err := Parse([]byte(text))
		if keys == 0 && !errors.Is(err, ErrRing) || keys > 0 && (err != nil || r.Len() != keys) {
			t.Errorf("%q: %v", text, err)
		}
	}
	many := ""
	for i := range mostKeys + 1 {
		many += fmt.Sprintf("%064x\n", i)
	}
	if _, err := Parse([]byte(many)); !errors.Is(err, ErrRing) {
		t.Errorf("a file of %d keys: %v", mostKeys+1, err)
	}
}

// FuzzOpen: whatever the bytes, they are opened or refused.
func FuzzOpen(f *testing.F) {
	r := ring(f, 1)
	f.Add(r.Seal("push", "anna", []byte("x")), "push", "anna")
	f.Add([]byte{format}, "", "")
	f.Fuzz(func(t *testing.T, sealed []byte, purpose, person string) {
		if _, err := r.Open(purpose, person, sealed); err != nil && !errors.Is(err, ErrSeal) && !errors.Is(err, ErrKey) {
			t.Error(err)
		}
		if plain, err := r.Open(purpose, person, r.Seal(purpose, person, sealed)); err != nil || !bytes.Equal(plain, sealed) {
			t.Error(plain, err)
		}
	})
}

// FuzzParse: what is a ring is written and read as the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(strings.Repeat("0a", KeyLength) + "\n" + strings.Repeat("0b", KeyLength)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if r, err := Parse(raw); err == nil {
			if back, err := Parse(r.Format()); err != nil || !back.Equal(r) {
				t.Error(err)
			}
		}
	})
}

// cut is a store of papers that is cut off after so many writes.
type cut struct {
	*sqlite.Store
	left int
}

var errCut = errors.New("cut off")

func (c *cut) Write(ctx context.Context, papers ...store.Paper) error {
	if c.left--; c.left < 0 {
		return errCut
	}
	return c.Store.Write(ctx, papers...)
}

func house(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestResealingMayBeCutOffAnywhere: after however many writes, everything opens with the
// ring that was there, and doing it again finishes it.
func TestResealingMayBeCutOffAnywhere(t *testing.T) {
	t.Parallel()
	s, ctx := house(t), t.Context()
	if err := s.AddAccount(ctx, store.Account{ID: "anna"}); err != nil {
		t.Fatal(err)
	}
	const many = 12
	r := ring(t, 1)
	want := map[string]store.Paper{}
	for n := range many {
		p := store.Paper{Kind: Kinds[n%2], Key: fmt.Sprint(n), Owner: []string{"", "anna"}[n%3%2], Body: fmt.Append(nil, "secret ", n), Until: store.Time(int64(n * 1000))}
		want[p.Kind+p.Key] = p
		if err := s.Write(ctx, r.Paper(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write(ctx, store.Paper{Kind: "open", Key: "x", Body: []byte("not sealed")}); err != nil {
		t.Fatal(err)
	}
	whole := func(r *Ring, old int) {
		t.Helper()
		is, err := r.Look(ctx, s)
		if err != nil || is.All != many || is.Lost != 0 || old >= 0 && is.Old != old {
			t.Fatalf("sealed are %+v, %v, want %d old ones", is, err, old)
		}
		if err := each(ctx, s, func(p store.Paper) error {
			p, err := r.OpenPaper(p)
			was := want[p.Kind+p.Key]
			if err == nil && (string(p.Body) != string(was.Body) || p.Owner != was.Owner || !p.Until.Equal(was.Until)) {
				t.Errorf("%s is %+v, want %+v", p.Name(), p, was)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	whole(r, 0)
	for round := range 3 { // several changes of the key, one after the other
		before := r
		r = r.Grown()
		for done := 0; ; done++ {
			err := r.Reseal(ctx, &cut{Store: s, left: 1}, false, func(int, int) {})
			if err == nil {
				break
			}
			if !errors.Is(err, errCut) || done > many+1 {
				t.Fatalf("round %d, %d: %v", round, done, err)
			}
			whole(r, many-done) // the first writes down which key it is
			if err := before.Fits(ctx, s); !errors.Is(err, ErrOld) {
				t.Fatalf("whoever has not got the new key may serve: %v", err)
			}
		}
		whole(r, 0)
		r = r.Trimmed()
		whole(r, 0)
		if err := r.Fits(ctx, s); err != nil {
			t.Fatal(err)
		}
		if is, err := before.Look(ctx, s); err != nil || is.Lost != many {
			t.Errorf("with the keys from before %+v, %v", is, err)
		}
	}
	if p, err := s.Paper(ctx, "open", "x"); err != nil || string(p.Body) != "not sealed" || p.Version != 1 {
		t.Errorf("what is not sealed is %+v, %v", p, err)
	}
}

// TestWhatNoKeyOpensIsKeptUnlessGivenUp: with a wrong key nothing is changed.
func TestWhatNoKeyOpensIsKeptUnlessGivenUp(t *testing.T) {
	t.Parallel()
	s, ctx := house(t), t.Context()
	right, wrong := ring(t, 1), ring(t, 2)
	for n := range 5 {
		if err := s.Write(ctx, right.Paper(store.Paper{Kind: "push", Key: fmt.Sprint(n), Body: []byte("x")})); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write(ctx, wrong.Paper(store.Paper{Kind: "push", Key: "new", Body: []byte("of the new key"), Until: time.Now()})); err != nil {
		t.Fatal(err)
	}
	if err := wrong.Reseal(ctx, s, false, func(int, int) {}); !errors.Is(err, ErrKey) {
		t.Errorf("with a wrong key: %v", err)
	}
	if is, err := right.Look(ctx, s); err != nil || is != (Sealed{All: 6, Lost: 1}) {
		t.Errorf("it has changed %+v, %v", is, err)
	}
	if err := errors.Join(right.Fits(ctx, s), wrong.Fits(ctx, s)); err != nil {
		t.Errorf("nothing says yet which key it is: %v", err)
	}
	grown := wrong.Grown()
	if err := grown.Reseal(ctx, s, true, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if is, err := grown.Trimmed().Look(ctx, s); err != nil || is != (Sealed{All: 1}) {
		t.Errorf("given up, there are %+v, %v", is, err)
	}
}

// What the ring of key 7 was called, and what it sealed, when this was written.
const (
	wantID = "e7f24badd86822e7"
	kept   = "01e7f24badd86822e77f91cfe5a69d145b5cc34e835909c5933db52b589fbd95b947a41bf04ab88d427df4819e"
)
