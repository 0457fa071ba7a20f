package seal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"copse/store"
)

// Kinds are the papers whose bodies are sealed, each for the purpose of its kind and the
// person who owns it. A kind that is missing here is not resealed, and is lost when the
// key is changed.
var Kinds = []string{
	"push",  // where somebody's browser is told that it is their turn, and with which keys
	"vapid", // the private half of the key by which push services know this house
}

// marker is the paper that says which key seals, so that a node with an old key file is
// told so: kind and key of it.
const markerKind, markerKey = "seal", "current"

// ErrOld says that the ring is not the one that seals the papers of this house any more.
var ErrOld = errors.New("the key of this house was changed by copse key rotate, and the key file here is from before: copy the file \"key\" from where that was done")

// Paper is a paper with its body sealed.
func (r *Ring) Paper(p store.Paper) store.Paper {
	if len(p.Body) > 0 { // else it is to be torn up
		p.Body = r.Seal(p.Kind, p.Owner, p.Body)
	}
	return p
}

// OpenPaper is a paper as it was before it was sealed.
func (r *Ring) OpenPaper(p store.Paper) (store.Paper, error) {
	plain, err := r.Open(p.Kind, p.Owner, p.Body)
	if err != nil {
		return store.Paper{}, fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	p.Body = plain
	return p, nil
}

// Fits refuses a ring that lacks the key that seals the papers of this house: ErrOld.
// Before the key was changed for the first time there is nothing to compare.
func (r *Ring) Fits(ctx context.Context, papers store.Papers) error {
	p, err := papers.Paper(ctx, markerKind, markerKey)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err == nil && (len(p.Body) != len(ID{}) || !r.Has(ID(p.Body))) {
		err = ErrOld
	}
	return err
}

// mark writes down which key seals.
func (r *Ring) mark(ctx context.Context, papers store.Papers) error {
	p, err := papers.Paper(ctx, markerKind, markerKey)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return err
	}
	id := r.Current()
	if string(p.Body) == string(id[:]) {
		return nil
	}
	return papers.Write(ctx, store.Paper{Kind: markerKind, Key: markerKey, Body: id[:], Version: p.Version})
}

// Sealed is how a house's sealed papers stand.
type Sealed struct {
	All  int // papers of the kinds that are sealed
	Old  int // of these sealed with another key than the one that seals
	Lost int // of these that no key on the ring opens
}

// some is how many papers are read at once.
const some = 100

// Look counts the sealed papers of a house. It opens each.
func (r *Ring) Look(ctx context.Context, papers store.Papers) (s Sealed, err error) {
	err = each(ctx, papers, func(p store.Paper) error {
		s.All++
		switch _, err := r.OpenPaper(p); {
		case errors.Is(err, ErrKey), errors.Is(err, ErrSeal):
			s.Lost++
		case err != nil:
			return err
		default:
			if id, _ := KeyOf(p.Body); id != r.Current() {
				s.Old++
			}
		}
		return nil
	})
	return s, err
}

func each(ctx context.Context, papers store.Papers, do func(store.Paper) error) error {
	for _, kind := range Kinds {
		for after := ""; ; {
			list, err := papers.Papers(ctx, kind, "", after, some)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				break
			}
			for _, p := range list {
				if err := do(p); err != nil {
					return err
				}
			}
			after = list[len(list)-1].Key
		}
	}
	return nil
}

// Reseal seals every paper anew that was sealed with another key than the current one,
// after it has written down which that is. Cut off anywhere it is gone on with by doing
// it again, with the same ring. With tear it tears up what no key on the ring opens;
// else that ends it, before anything is changed.
func (r *Ring) Reseal(ctx context.Context, papers store.Papers, tear bool, done func(n, of int)) error {
	s, err := r.Look(ctx, papers)
	if err != nil {
		return err
	}
	if s.Lost > 0 && !tear {
		return fmt.Errorf("%d of %d sealed papers open with no key on the ring: %w", s.Lost, s.All, ErrKey)
	}
	if err := r.mark(ctx, papers); err != nil {
		return err
	}
	n := 0
	return each(ctx, papers, func(p store.Paper) error {
		n++
		if err := r.reseal(ctx, papers, p, tear); err != nil {
			return err
		}
		done(n, s.All)
		return nil
	})
}

// mostTries is how often a paper is tried that somebody else has changed meanwhile.
const mostTries = 10

func (r *Ring) reseal(ctx context.Context, papers store.Papers, p store.Paper, tear bool) (err error) {
	for range mostTries {
		id, _ := KeyOf(p.Body)
		plain, open := r.OpenPaper(p)
		switch {
		case open == nil && id == r.Current():
			return nil
		case open == nil:
			err = papers.Write(ctx, r.Paper(plain))
		case tear && (errors.Is(open, ErrKey) || errors.Is(open, ErrSeal)):
			p.Body, p.Owner, p.Until = nil, "", time.Time{}
			err = papers.Write(ctx, p)
		default:
			return open
		}
		if !errors.Is(err, store.ErrChanged) {
			return err
		}
		if p, err = papers.Paper(ctx, p.Kind, p.Key); err != nil {
			if errors.Is(err, store.ErrNone) {
				return nil
			}
			return err
		}
	}
	return store.ErrChanged
}
