package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"copse/peace"
	"copse/server"
	"copse/table"
)

type peopleCommand struct {
	Find     peopleFindCommand     `cmd:"" help:"List people whose names begin like a text, or look as if they did."`
	Show     peopleShowCommand     `cmd:"" help:"Show somebody: since when they are here, reports about them, what was done."`
	Mute     peopleMuteCommand     `cmd:"" help:"Let somebody say nothing in words of their own: they play on, and have set phrases."`
	Unmute   peopleUnmuteCommand   `cmd:"" help:"Let somebody speak again."`
	Rename   peopleRenameCommand   `cmd:"" help:"Take a name away: its owner gets a neutral one, and nobody may have it again."`
	Ban      peopleBanCommand      `cmd:"" help:"Keep somebody out, or with --network newcomers from where they came."`
	Unban    peopleUnbanCommand    `cmd:"" help:"Let somebody in again, or with --network newcomers from where they came."`
	SignOut  peopleSignOutCommand  `cmd:"" name:"sign-out" help:"Sign somebody out in every browser: they stay who they are, and sign in again by a passkey or a recovery code. A guest has neither, and cannot come back. Programs keep their tokens."`
	Operator peopleOperatorCommand `cmd:"" help:"Make a member an operator, who has a page for all of this, or no longer."`
	Acts     peopleActsCommand     `cmd:"" help:"Show what was done, by whom and why, the newest first."`
}

// whomArg says who is meant.
type whomArg struct {
	Name string `arg:"" help:"Who: a member's name, a guest's that nobody else has, or @ and what copse people find shows first."`
}

// whyFlag is why something is done.
type whyFlag struct {
	Why string `required:"" placeholder:"TEXT" help:"Why. Who is meant reads it, and it is written down for good: write no names."`
}

// forFlag is for how long.
type forFlag struct {
	For span `placeholder:"TIME" help:"For how long, such as 7d or 12h; without it there is no end."`
}

// span is a time that may be given in days.
type span time.Duration

// UnmarshalText reads one.
func (s *span) UnmarshalText(raw []byte) error {
	text := string(raw)
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
		if n > 36_500 {
			err = strconv.ErrRange
		}
	}
	if err != nil || d < time.Minute {
		return fmt.Errorf("%q is no time: write 7d, 12h or 30m", text)
	}
	*s = span(d)
	return nil
}

type peopleFindCommand struct {
	Name string `arg:"" optional:"" help:"How the name begins."`
	deskFlags
}

type peopleShowCommand struct {
	whomArg
	deskFlags
}

type peopleMuteCommand struct {
	whomArg
	whyFlag
	forFlag
	deskFlags
}

type peopleUnmuteCommand struct {
	whomArg
	Why string `placeholder:"TEXT" help:"Why, for the book."`
	deskFlags
}

type peopleRenameCommand struct {
	whomArg
	whyFlag
	deskFlags
}

type peopleBanCommand struct {
	whomArg
	whyFlag
	forFlag
	Network bool `help:"Ban the networks from which they came within thirty days, for at most thirty days: nobody becomes a guest from there, and no guest signs in. Members do."`
	deskFlags
}

type peopleUnbanCommand struct {
	whomArg
	Why     string `placeholder:"TEXT" help:"Why, for the book."`
	Network bool   `help:"The networks that were banned because of them."`
	deskFlags
}

type peopleSignOutCommand struct {
	whomArg
	whyFlag
	deskFlags
}

type peopleOperatorCommand struct {
	whomArg
	On  bool `xor:"on" required:"" help:"From now on."`
	Off bool `xor:"on" required:"" help:"No longer."`
	deskFlags
}

type peopleActsCommand struct {
	deskFlags
}

type reportsCommand struct {
	List  reportsListCommand  `cmd:"" default:"withargs" help:"List reports that nobody has closed, the oldest first."`
	Show  reportsShowCommand  `cmd:"" help:"Show a report with what was said around it."`
	Close reportsCloseCommand `cmd:"" help:"Be done with a report."`
}

type reportsListCommand struct {
	All   bool  `help:"Also those that were closed."`
	After int64 `placeholder:"NUMBER" help:"Those behind this one."`
	deskFlags
}

type reportsShowCommand struct {
	Number int64 `arg:"" help:"The number of the report."`
	deskFlags
}

type reportsCloseCommand struct {
	Number int64  `arg:"" help:"The number of the report."`
	Note   string `placeholder:"TEXT" help:"What was found, for the book."`
	deskFlags
}

// Run lists people.
func (c peopleFindCommand) Run() error { return c.run(deskOrder{Do: "find", Name: c.Name}) }

// Run shows somebody.
func (c peopleShowCommand) Run() error { return c.run(deskOrder{Do: "show", Name: c.Name}) }

// Run mutes somebody.
func (c peopleMuteCommand) Run() error {
	return c.run(deskOrder{Do: peace.Mute, Name: c.Name, Why: c.Why, For: time.Duration(c.For)})
}

// Run lets somebody speak again.
func (c peopleUnmuteCommand) Run() error {
	return c.run(deskOrder{Do: peace.Unmute, Name: c.Name, Why: c.Why})
}

// Run takes a name away.
func (c peopleRenameCommand) Run() error {
	return c.run(deskOrder{Do: peace.Rename, Name: c.Name, Why: c.Why})
}

// Run keeps somebody out.
func (c peopleBanCommand) Run() error {
	o := deskOrder{Do: peace.Ban, Name: c.Name, Why: c.Why, For: time.Duration(c.For)}
	if c.Network {
		o.Do = peace.BanNetwork
	}
	return c.run(o)
}

// Run lets somebody in again.
func (c peopleUnbanCommand) Run() error {
	o := deskOrder{Do: peace.Unban, Name: c.Name, Why: c.Why}
	if c.Network {
		o.Do = peace.UnbanNetwork
	}
	return c.run(o)
}

// Run signs somebody out everywhere.
func (c peopleSignOutCommand) Run() error {
	return c.run(deskOrder{Do: peace.SignOut, Name: c.Name, Why: c.Why})
}

// Run makes an operator, or no longer.
func (c peopleOperatorCommand) Run() error {
	o := deskOrder{Do: peace.MakeOperator, Name: c.Name}
	if c.Off {
		o.Do = peace.UnmakeOperator
	}
	return c.run(o)
}

// Run shows what was done.
func (c peopleActsCommand) Run() error { return c.run(deskOrder{Do: "acts"}) }

// Run lists reports.
func (c reportsListCommand) Run() error {
	return c.run(deskOrder{Do: "reports", All: c.All, After: c.After})
}

// Run shows a report.
func (c reportsShowCommand) Run() error { return c.run(deskOrder{Do: "report", Number: c.Number}) }

// Run closes a report.
func (c reportsCloseCommand) Run() error {
	return c.run(deskOrder{Do: "close", Number: c.Number, Why: c.Note})
}

// run has an order carried out and prints what came of it.
func (f deskFlags) run(o deskOrder) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a, err := f.ask(ctx, o)
	if err != nil {
		return err
	}
	if f.JSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(a)
	}
	return a.print(os.Stdout, o)
}

// day is a moment in words; ever is what stands for none.
func day(at *table.Time, ever string) string {
	if at == nil {
		return ever
	}
	return time.UnixMilli(int64(*at)).UTC().Format("2006-01-02 15:04")
}

// stateOf says what is in force for somebody.
func stateOf(p *server.DeskPerson) string {
	var list []string
	if p.Operator {
		list = append(list, "operator")
	}
	if p.Banned != nil {
		list = append(list, "banned until "+day(p.Banned.Until, "for good"))
	}
	if p.Muted != nil {
		list = append(list, "muted until "+day(p.Muted.Until, "for good"))
	}
	text := strings.ReplaceAll(strings.Join(list, ", "), "until for good", "for good")
	if text == "" {
		return "–"
	}
	return text
}

// kindOf says whether somebody is a member.
func kindOf(p *server.DeskPerson) string {
	if p.Member != nil {
		return "member"
	}
	return "guest"
}

// print prints an answer.
func (a *deskAnswer) print(out io.Writer, o deskOrder) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) // what goes wrong is told by Flush
	switch {
	case o.Do == "find":
		printPeople(w, a)
	case a.Person != nil:
		printPerson(w, a.Person)
	case a.Act != nil:
		_, _ = fmt.Fprintf(w, "act %d: %s %s", a.Act.Number, a.Act.Do, a.Act.Whom)
		if a.Act.Do != peace.SignOut { // which is done and over
			_, _ = fmt.Fprintf(w, ", until %s", day(a.Act.Until, "it is taken back"))
		}
		_, _ = fmt.Fprintln(w)
	case o.Do == "acts":
		printActs(w, a.Acts)
	case o.Do == "reports":
		printReports(w, a.Reports)
	case a.Report != nil:
		printReport(w, a.Report)
	case o.Do == "close":
		_, _ = fmt.Fprintf(w, "report %d is closed\n", o.Number)
	}
	return w.Flush()
}

func printPeople(w io.Writer, a *deskAnswer) {
	if len(a.People) == 0 {
		_, _ = fmt.Fprintln(w, "nobody here is called so")
		return
	}
	_, _ = fmt.Fprintln(w, "name them by\tname\tis a\tsince (UTC)\tin force")
	for i := range a.People {
		p := &a.People[i]
		_, _ = fmt.Fprintf(w, "@%s\t%s\t%s\t%s\t%s\n", p.Person, p.Name, kindOf(p), day(&p.Born, ""), stateOf(p))
	}
	if a.More {
		_, _ = fmt.Fprintln(w, "…\tand others: write more of the name")
	}
}

func printPerson(w io.Writer, p *server.DeskSheet) {
	_, _ = fmt.Fprintf(w, "%s, a %s since %s (UTC), @%s\n", p.Name, kindOf(&p.DeskPerson), day(&p.Born, ""), p.Person)
	_, _ = fmt.Fprintf(w, "in force: %s\n", stateOf(&p.DeskPerson))
	for what, m := range map[string]*server.DeskMark{"muted": p.Muted, "banned": p.Banned} {
		if m != nil {
			_, _ = fmt.Fprintf(w, "%s because: %s\n", what, m.Why)
		}
	}
	_, _ = fmt.Fprintf(w, "sits at %s, has %s, came from %s within thirty days, from where %s came too\n\n",
		count(p.Tables, "table", "tables"), count(p.Programs, "program", "programs"), count(p.Networks, "network", "networks"), count(p.Near, "other", "others"))
	printReports(w, p.Reports)
	_, _ = fmt.Fprintln(w)
	printActs(w, p.Acts)
}

func printActs(w io.Writer, list []server.DeskAct) {
	if len(list) == 0 {
		_, _ = fmt.Fprintln(w, "nothing was done")
		return
	}
	_, _ = fmt.Fprintln(w, "act\twhen (UTC)\tby\tdid\tto\tuntil\twhy")
	for _, a := range list {
		by := a.By
		if by == "" {
			by = "this machine"
		}
		if a.Gone {
			by = "somebody who is gone"
		}
		whom := a.Whom
		if whom == "" {
			whom = "somebody who is gone"
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", a.Number, day(&a.At, ""), by, a.Do, whom, day(a.Until, "–"), a.Why)
	}
}

// nameOf is what somebody is called who may be gone.
func nameOf(p *server.DeskPerson) string {
	if p == nil {
		return "somebody who is gone"
	}
	return p.Name
}

func printReports(w io.Writer, list []server.DeskReport) {
	if len(list) == 0 {
		_, _ = fmt.Fprintln(w, "no reports")
		return
	}
	_, _ = fmt.Fprintln(w, "report\twhen (UTC)\twhy\tabout\tby\tsaid\tstate")
	for _, r := range list {
		state := "open"
		if r.Closed != nil {
			state = "closed"
		}
		about := r.Name
		if about == "" {
			about = nameOf(r.Whom)
		}
		said := r.Said
		if r.Phrase != "" {
			said = "(" + r.Phrase + ")"
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Number, day(&r.At, ""), r.Why, about, nameOf(r.By), said, state)
	}
}

func printReport(w io.Writer, r *server.DeskReport) {
	_, _ = fmt.Fprintf(w, "report %d, %s (UTC): %s\n", r.Number, day(&r.At, ""), r.Why)
	_, _ = fmt.Fprintf(w, "about %s", nameOf(r.Whom))
	if r.Whom != nil {
		_, _ = fmt.Fprintf(w, " (@%s)", r.Whom.Person)
		if r.Name != r.Whom.Name {
			_, _ = fmt.Fprintf(w, ", who was called %s then", r.Name)
		}
	}
	_, _ = fmt.Fprintf(w, "\nby %s\n", nameOf(r.By))
	if r.Text != "" {
		_, _ = fmt.Fprintf(w, "who writes: %s\n", r.Text)
	}
	if r.Said != "" || r.Phrase != "" {
		_, _ = fmt.Fprintf(w, "said: %s%s\n", r.Said, r.Phrase)
	}
	if r.Table != "" {
		_, _ = fmt.Fprintf(w, "at table %s\n", r.Table)
	}
	for _, l := range r.Around {
		mark, who := " ", "somebody who is gone"
		if r.Line != nil && *r.Line == l.Number {
			mark = ">"
		}
		if l.By != nil {
			who = l.By.Name
		}
		_, _ = fmt.Fprintf(w, "%s %s\t%s\t%s%s\n", mark, day(&l.At, ""), who, l.Text, l.Phrase)
	}
	if r.Closed != nil {
		_, _ = fmt.Fprintf(w, "closed %s (UTC): %s\n", day(&r.Closed.At, ""), r.Closed.Note)
	}
}
