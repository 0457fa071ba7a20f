package peace

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"copse/store"
)

// The kinds of papers of reports.
const (
	reportKind   = "report"      // key: its number
	reportsKind  = "reports"     // one: how many there are
	openKind     = "open report" // key: the number of one that nobody has closed
	aboutKind    = "reported"    // key: the alias of who was reported, and the number
	evidenceKind = "evidence"    // of who was reported, key: the number; what they said, and were called
	textKind     = "report text" // of the reporter, key: the number; what they wrote
	onceKind     = "report once" // of the reporter, key: them and what they have reported; its number
)

// Why somebody reports.
const (
	WhyName     = "name"
	WhyWords    = "words"
	WhyCheating = "cheating"
	WhyOther    = "other"
)

// Reasons are all of them.
func Reasons() []string { return []string{WhyName, WhyWords, WhyCheating, WhyOther} }

// LongestText is how many characters a reporter may write.
const LongestText = 500

// KeptClosed is how long a report stays after it was closed.
const KeptClosed = 365 * 24 * time.Hour

// Report is what somebody has reported, without a word of anybody.
type Report struct {
	Number int64  `json:"number"`
	At     int64  `json:"at"`
	By     string `json:"by"`   // the reporter's alias
	Whom   string `json:"whom"` // the alias of who was reported
	Why    string `json:"why"`  // one of Reasons
	Table  string `json:"table,omitempty"`
	Line   *int   `json:"line,omitempty"` // of what was said there

	Closed *Closing `json:"closed,omitempty"`
}

// Closing is that an operator is done with a report.
type Closing struct {
	At   int64  `json:"at"`
	By   string `json:"by,omitempty"` // alias; empty for who may use the machine
	Note string `json:"note"`
}

// Evidence is what was reported, as it was then.
type Evidence struct {
	Name   string `json:"name"`
	Said   string `json:"said,omitempty"`
	Phrase string `json:"phrase,omitempty"` // said, as a set phrase
}

// Complaint is what somebody reports.
type Complaint struct {
	By, Whom string // accounts
	At       time.Time
	Why      string
	Text     string
	Table    string
	Line     *int
	Evidence
}

// thing names what is reported, so that nobody reports it twice: a line, or somebody
// under one name for one reason.
func (c *Complaint) thing() string {
	what := "name\n" + c.Name + "\n" + c.Why
	if c.Line != nil {
		what = fmt.Sprintf("line\n%s\n%d", c.Table, *c.Line)
	}
	sum := sha256.Sum256([]byte(c.Whom + "\n" + what))
	return c.By + " " + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Report writes a report down, and gives its number. What somebody has reported before
// they do not report again: that report stays as it is, and again is true.
// store.ErrNone says that one of the two is no more.
func (b Book) Report(ctx context.Context, c Complaint) (n int64, again bool, err error) {
	err = b.write(ctx, func() ([]store.Paper, error) {
		again = false
		if once, err := b.Papers.Paper(ctx, onceKind, c.thing()); err == nil {
			again = true
			_, err = fmt.Sscan(string(once.Body), &n)
			return nil, err
		} else if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
		r := Report{At: c.At.UnixMilli(), Why: c.Why, Table: c.Table, Line: c.Line}
		var papers []store.Paper
		for _, one := range []struct {
			account string
			into    *string
		}{{c.By, &r.By}, {c.Whom, &r.Whom}} {
			alias, more, err := b.alias(ctx, one.account)
			if err != nil {
				return nil, err
			}
			*one.into, papers = alias, append(papers, more...)
		}
		written, err := b.numbered(ctx, reportsKind, reportKind, &r, &r.Number)
		if err != nil {
			return nil, err
		}
		n = r.Number
		evidence, err := json.Marshal(c.Evidence)
		if err != nil {
			return nil, err
		}
		papers = append(papers, written...)
		papers = append(papers,
			store.Paper{Kind: openKind, Key: number(n), Body: []byte("1")},
			store.Paper{Kind: aboutKind, Key: r.Whom + " " + number(n), Body: []byte("1")},
			store.Paper{Kind: evidenceKind, Key: number(n), Owner: c.Whom, Body: evidence},
			store.Paper{Kind: onceKind, Key: c.thing(), Owner: c.By, Body: fmt.Append(nil, n)},
		)
		if c.Text != "" {
			papers = append(papers, store.Paper{Kind: textKind, Key: number(n), Owner: c.By, Body: []byte(c.Text)})
		}
		return papers, nil
	})
	return n, again, err
}

func readReport(p *store.Paper) (r Report, err error) {
	if err = json.Unmarshal(p.Body, &r); err != nil {
		err = fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	return r, err
}

// ReportOf is one report, or store.ErrNone.
func (b Book) ReportOf(ctx context.Context, n int64) (Report, error) {
	p, err := b.Papers.Paper(ctx, reportKind, number(n))
	if err != nil {
		return Report{}, err
	}
	return readReport(&p)
}

// Evidence is what was reported; nothing of it where who was reported is no more.
func (b Book) Evidence(ctx context.Context, n int64) (e Evidence, err error) {
	p, err := b.Papers.Paper(ctx, evidenceKind, number(n))
	if errors.Is(err, store.ErrNone) {
		return e, nil
	}
	if err == nil {
		err = json.Unmarshal(p.Body, &e)
	}
	return e, err
}

// Text is what the reporter wrote; nothing where they are no more.
func (b Book) Text(ctx context.Context, n int64) (string, error) {
	p, err := b.Papers.Paper(ctx, textKind, number(n))
	if errors.Is(err, store.ErrNone) {
		return "", nil
	}
	return string(p.Body), err
}

// Open are the reports that nobody has closed, behind a number, the oldest first.
func (b Book) Open(ctx context.Context, after int64, most int) ([]Report, error) {
	papers, err := b.Papers.Papers(ctx, openKind, "", number(after), most)
	if err != nil {
		return nil, err
	}
	list := []Report{}
	for _, p := range papers {
		one, err := b.Papers.Paper(ctx, reportKind, p.Key)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := readReport(&one)
		if err != nil {
			return nil, err
		}
		if r.Closed == nil { // a moment ago
			list = append(list, r)
		}
	}
	return list, nil
}

// Reports are all reports behind a number, the oldest first.
func (b Book) Reports(ctx context.Context, after int64, most int) ([]Report, error) {
	papers, err := b.Papers.Papers(ctx, reportKind, "", number(after), most)
	list := []Report{}
	for i := range papers {
		r, err := readReport(&papers[i])
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, err
}

// ReportsAbout are the reports about an alias, the oldest first.
func (b Book) ReportsAbout(ctx context.Context, alias string, most int) ([]Report, error) {
	list := []Report{}
	numbers, err := b.under(ctx, aboutKind, alias, most)
	for _, n := range numbers {
		r, err := b.ReportOf(ctx, n)
		if errors.Is(err, store.ErrNone) { // it was closed long ago
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, err
}

// ReportsBy are the reports that an account has made, with what it wrote.
func (b Book) ReportsBy(ctx context.Context, account string, most int) ([]Report, []string, error) {
	papers, err := b.Papers.Papers(ctx, onceKind, account, "", most)
	var list []Report
	var texts []string
	for _, p := range papers {
		var n int64
		if _, err := fmt.Sscan(string(p.Body), &n); err != nil {
			return nil, nil, fmt.Errorf("paper %s: %w", p.Name(), err)
		}
		r, err := b.ReportOf(ctx, n)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		text, err := b.Text(ctx, n)
		if err != nil {
			return nil, nil, err
		}
		list, texts = append(list, r), append(texts, text)
	}
	return list, texts, err
}

// Close notes that an operator is done with a report. ErrNothing says that it was
// closed before, and that stays.
func (b Book) Close(ctx context.Context, n int64, by, note string, now time.Time) error {
	return b.write(ctx, func() ([]store.Paper, error) {
		p, err := b.Papers.Paper(ctx, reportKind, number(n))
		if err != nil {
			return nil, err
		}
		r, err := readReport(&p)
		if err != nil {
			return nil, err
		}
		if r.Closed != nil {
			return nil, ErrNothing
		}
		r.Closed = &Closing{At: now.UnixMilli(), Note: note}
		var papers []store.Paper
		if by != "" {
			marks, err := b.Marks(ctx, by)
			if err != nil {
				return nil, err
			}
			if !marks.Operator || marks.BannedAt(now) != nil {
				return nil, ErrOperator
			}
			own, err := marks.paper(by) // so that it is still so when this is written
			if err != nil {
				return nil, err
			}
			alias, more, err := b.alias(ctx, by)
			if err != nil {
				return nil, err
			}
			r.Closed.By, papers = alias, append(more, own)
		}
		if p.Body, err = json.Marshal(r); err != nil {
			return nil, err
		}
		p.Until = now.Add(KeptClosed)
		papers = append(papers, p)
		for kind, key := range map[string]string{evidenceKind: number(n), textKind: number(n), aboutKind: r.Whom + " " + number(n)} {
			beside, err := b.Papers.Paper(ctx, kind, key)
			if errors.Is(err, store.ErrNone) {
				continue
			}
			if err != nil {
				return nil, err
			}
			beside.Until = p.Until
			papers = append(papers, beside)
		}
		open, err := b.Papers.Paper(ctx, openKind, number(n))
		if err == nil {
			open.Body = nil
			papers = append(papers, open)
		} else if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
		return papers, nil
	})
}
