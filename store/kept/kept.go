// Package kept is what all adapters of a store keep alike: the limits of what they
// take, the checksum of a row, and what is remembered of the keys of appends. How
// these are written is for ever: databases are full of them.
package kept

import "copse/store"

// Limit is something that may be only so large.
type Limit struct {
	What       string
	Size, Most int
}

// Within refuses the first that is too large by a *store.TooLarge.
func Within(limits ...Limit) error {
	for _, l := range limits {
		if l.Size > l.Most {
			return &store.TooLarge{What: l.What, Size: l.Size, Most: l.Most}
		}
	}
	return nil
}

// Fits refuses something that is larger than it may be.
func Fits(what string, size, most int) error { return Within(Limit{what, size, most}) }

// Append refuses what is beyond the limits or cannot be.
func Append(a *store.Append) error {
	if !store.ValidID(a.Table) {
		return store.ErrID
	}
	if a.Next < 0 {
		return &store.Conflict{Table: a.Table, Asked: a.Next}
	}
	if err := Within(
		Limit{"entries of an append", len(a.Entries), store.MostEntries},
		Limit{"entries of a log", a.Next + len(a.Entries), store.LongestLog},
		Limit{"bytes of an answer", len(a.Once.Answer), store.LargestAnswer},
		Limit{"bytes of a box", len(a.Box), store.LargestBox}); err != nil {
		return err
	}
	for _, e := range a.Entries {
		if err := Fits("bytes of an entry", len(e), store.LargestEntry); err != nil {
			return err
		}
	}
	if r := a.Row; r != nil {
		for _, person := range r.Sitting {
			if person != "" && !store.ValidID(person) {
				return store.ErrID
			}
		}
		if err := Within(
			Limit{"seats", len(r.Sitting), store.MostSeats},
			Limit{"bytes of the name of a game", len(r.Game), store.LongestName},
			Limit{"bytes about a table", len(r.About), store.LargestExtra},
			Limit{"bytes beside a log", len(r.Private), store.LargestExtra}); err != nil {
			return err
		}
	}
	if err := Papers(a.Papers); err != nil {
		return err
	}
	return Jobs(a.Jobs)
}

// Papers refuses papers that are too many, too large, have no kind or key, or are the
// same one twice.
func Papers(papers []store.Paper) error {
	if err := Fits("papers that are written at once", len(papers), store.MostPapers); err != nil {
		return err
	}
	for i := range papers {
		p := &papers[i]
		if err := Within(
			Limit{"bytes of a kind of paper", len(p.Kind), store.LongestName},
			Limit{"bytes of the key of a paper", len(p.Key), store.LongestName},
			Limit{"bytes of a paper", len(p.Body), store.LargestExtra}); err != nil {
			return err
		}
		if p.Kind == "" || p.Key == "" || p.Version < 0 {
			return store.ErrPaper
		}
		if p.Owner != "" && !store.ValidID(p.Owner) {
			return store.ErrID
		}
		for _, before := range papers[:i] {
			if before.Kind == p.Kind && before.Key == p.Key {
				return store.ErrPaper
			}
		}
	}
	return nil
}

// Jobs refuses jobs that are too large.
func Jobs(jobs []store.Job) error {
	for _, j := range jobs {
		if err := Within(
			Limit{"bytes of a kind of job", len(j.Kind), store.LongestName},
			Limit{"bytes of the name of a job", len(j.Name), store.LongestName},
			Limit{"bytes of a job", len(j.Body), store.LargestJob}); err != nil {
			return err
		}
	}
	return nil
}

// Account refuses an account that is too large or has no ID.
func Account(p *store.Account) error {
	if !store.ValidID(p.ID) {
		return store.ErrID
	}
	return Within(
		Limit{"bytes of a name", len(p.Name), store.LongestName},
		Limit{"bytes of a salt", len(p.Salt), store.LongestName},
		Limit{"bytes beside a person", len(p.More), store.LargestExtra})
}
