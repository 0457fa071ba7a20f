package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"copse/game"
	"copse/peace"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// reportsADay is how much one person may report in a day.
const reportsADay = 10

// until is an end in words, for refusals: none where there is none.
func untilText(ms int64) string {
	if ms == 0 {
		return "none"
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC")
}

// unbanned refuses whoever is banned, except for what they may always ask for: who they
// are, all that is theirs, and to go.
func (c *call) unbanned() error {
	if c.by.ID == "" || c.end.banned {
		return nil
	}
	ban, err := c.Hall.Banned(c.r.Context(), c.by)
	if err == nil && ban != nil {
		err = game.Refuse("", "server.banned", game.Args{"until": untilText(ban.Until), "why": ban.Why})
	}
	return err
}

// unmuted refuses whoever may not say anything in words of their own.
func (c *call) unmuted() error {
	mute, err := c.Hall.Muted(c.r.Context(), c.by)
	if err == nil && mute != nil {
		err = game.Refuse("", "server.muted", game.Args{"until": untilText(mute.Until), "why": mute.Why})
	}
	return err
}

// saying refuses what may not be said here.
func (c *call) saying(words hall.Words) error {
	mode := c.Chat
	if mode == ChatOff || mode == ChatPhrases && words.Phrase == "" {
		return game.Refuse("", "server.chat", game.Args{"mode": mode})
	}
	if words.Phrase != "" {
		return nil
	}
	if err := c.unmuted(); err != nil {
		return err
	}
	return c.welcome(words.Text)
}

// allowed refuses a name with a word in it that is not welcome, and one that was taken
// away from somebody.
func (c *call) allowed(ctx context.Context, name string) error {
	if err := c.welcome(name); err != nil {
		return err
	}
	barred, err := c.Hall.Peace().Barred(ctx, looks(name))
	if err == nil && barred {
		err = game.Refuse("", "server.name.barred", nil)
	}
	return err
}

// ownBox refuses a box of one's own with a word in it that is not welcome: the names of
// cards, clans and terrains in it are read by everybody at the table. Who is muted
// brings none.
func (c *call) ownBox(options json.RawMessage) error {
	var box struct{ Box json.RawMessage }
	if json.Unmarshal(options, &box) != nil || len(box.Box) == 0 || box.Box[0] != '{' {
		return nil // none, or one that the house knows; what makes no sense is refused elsewhere
	}
	if err := c.unmuted(); err != nil {
		return err
	}
	texts := json.NewDecoder(bytes.NewReader(box.Box))
	for {
		token, err := texts.Token()
		if err != nil {
			return nil
		}
		if text, ok := token.(string); ok {
			if err := c.welcome(text); err != nil {
				return err
			}
		}
	}
}

// newcomer refuses who comes from a network that was banned. Whoever is innocent is
// told so, and to whom to turn. This machine is no network: behind a proxy of which
// nobody has told us everybody comes from there.
func (c *call) newcomer() error {
	if c.local(c.r) {
		return nil
	}
	until, banned, err := c.Hall.NetworkBan(c.r.Context(), c.address(c.r))
	if err == nil && banned {
		err = game.Refuse("", "server.network", game.Args{"until": untilText(int64(until))})
	}
	return err
}

// came notes from which network somebody comes.
func (c *call) came(account string) {
	if account != "" && !c.local(c.r) {
		c.Hall.Came(c.r.Context(), account, c.address(c.r))
	}
}

// aboutPeace tells somebody what is in force for them.
func (c *call) aboutPeace(reply *meReply, a hall.Account) error {
	if a.ID == "" {
		return nil
	}
	ctx := c.r.Context()
	ban, err := c.Hall.Banned(ctx, a)
	if err != nil {
		return err
	}
	mute, err := c.Hall.Muted(ctx, a)
	if err != nil {
		return err
	}
	reply.Banned, reply.Muted = deskMark(ban), deskMark(mute)
	reply.Operator, err = c.Hall.Operator(ctx, a)
	return err
}

// reportBody is what is reported.
type reportBody struct {
	Name  *string    `json:"name,omitempty" about:"A member, by name."`
	Table *string    `json:"table,omitempty" about:"Or a table that I may see, with one of its seats or lines:"`
	Seat  *game.Seat `json:"seat,omitempty" about:"who sits there,"`
	Line  *int       `json:"line,omitempty" about:"or who said this."`
	Why   string     `json:"why" about:"What is wrong: the name, words that were said, cheating, or something else."`
	Text  *string    `json:"text,omitempty" about:"In my own words, for who runs this house."`
}

// clean is a text from outside, whole and not too long; empty where there is none.
func cleanNote(text *string, most int) (string, bool) {
	if text == nil {
		return "", true
	}
	return *text, utf8.RuneCountInString(*text) <= most
}

func (c *call) report(in reportBody) (none, error) {
	text, fits := cleanNote(in.Text, peace.LongestText)
	if !fits || !slices.Contains(peace.Reasons(), in.Why) || in.Line != nil && *in.Line < 0 {
		return none{}, game.Blame("server.report", game.Args{"most": peace.LongestText})
	}
	ctx := c.r.Context()
	whom, err := c.whom(whomBody{Name: in.Name, Table: in.Table, Seat: in.Seat, Line: in.Line})
	if err != nil {
		return none{}, err
	}
	if whom.ID == c.by.ID || slices.Contains(c.by.Programs, whom.ID) {
		return none{}, game.Refuse("", "server.report.self", nil)
	}
	about := peace.Complaint{By: c.by.ID, Whom: whom.ID, At: c.Hall.Now(), Why: in.Why, Text: text, Line: in.Line}
	about.Name = whom.Name
	if in.Table != nil {
		about.Table = *in.Table
	}
	if in.Line != nil {
		_, line, err := c.Hall.Speaker(ctx, about.Table, c.by, *in.Line)
		if err != nil {
			return none{}, err
		}
		about.Said, about.Phrase = line.Text, line.Phrase
	}
	q := quota{reportsADay, 24 * time.Hour, reportsADay}
	if err := c.often("reports", c.by.ID, q); err != nil {
		return none{}, err
	}
	_, again, err := c.Hall.Peace().Report(ctx, about)
	if again || err != nil {
		c.giveBack(c.r, "reports", c.by.ID, q)
	}
	return none{}, err
}

// operator lets operators in who have signed in not long ago. Everybody else is told
// that there is nothing here.
func (c *call) operator() error {
	yes, err := c.Hall.Operator(c.r.Context(), c.by)
	if err != nil {
		return err
	}
	if !yes || c.by.Member == 0 {
		return store.ErrNone
	}
	if c.Hall.Now().Sub(c.pass.Born) >= recentTime {
		return game.Refuse("", "server.recent", game.Args{"minutes": int(recentTime.Minutes())})
	}
	return nil
}

// atDesk makes an endpoint of operators.
func atDesk[In, Out any](do func(*call, In) (Out, error)) func(*call, In) (Out, error) {
	return func(c *call, in In) (Out, error) {
		if err := c.operator(); err != nil {
			var nothing Out
			return nothing, err
		}
		return do(c, in)
	}
}

// reportsReply is a list of reports.
type reportsReply struct {
	Reports []DeskReport `json:"reports"`
}

// mostReports is how many reports one answer has.
const mostReports = 50

func (c *call) reports(none) (reportsReply, error) {
	all, err := c.flag("all")
	if err != nil {
		return reportsReply{}, err
	}
	after, err := c.number("after", 0)
	if err != nil {
		return reportsReply{}, err
	}
	list, err := c.desk.Reports(c.r.Context(), all, int64(after), mostReports)
	return reportsReply{list}, err
}

// reportNumber is the report of the address.
func (c *call) reportNumber() (int64, error) {
	n := int64(0)
	for _, r := range c.r.PathValue("report") {
		if r < '0' || r > '9' || n > 1<<40 {
			return 0, store.ErrNone
		}
		n = 10*n + int64(r-'0')
	}
	return n, nil
}

func (c *call) oneReport(none) (DeskReport, error) {
	n, err := c.reportNumber()
	if err != nil {
		return DeskReport{}, err
	}
	return c.desk.Report(c.r.Context(), n)
}

// closeBody is what an operator notes when they are done with a report.
type closeBody struct {
	Note *string `json:"note,omitempty" about:"For the operators' book."`
}

func (c *call) closeReport(in closeBody) (none, error) {
	note, fits := cleanNote(in.Note, peace.LongestWhy)
	if !fits {
		return none{}, game.Blame("server.act", game.Args{"most": peace.LongestWhy})
	}
	n, err := c.reportNumber()
	if err == nil {
		err = c.desk.Close(c.r.Context(), n, c.by.ID, note)
	}
	return none{}, deskError(err)
}

// peopleReply is a list of people.
type peopleReply struct {
	People []DeskPerson `json:"people"`
	More   bool         `json:"more" about:"There are others: write more of the name."`
}

func (c *call) people(none) (peopleReply, error) {
	text, _ := c.query("name")
	list, more, err := c.desk.People(c.r.Context(), text)
	return peopleReply{list, more}, err
}

func (c *call) person(none) (DeskSheet, error) {
	account, err := c.desk.account(c.r.PathValue("person"))
	if err != nil {
		return DeskSheet{}, err
	}
	return c.desk.Sheet(c.r.Context(), account)
}

// actBody is what an operator does to somebody.
type actBody struct {
	Do     string `json:"do"`
	Why    string `json:"why" about:"Told to who is meant, and written down. Without names."`
	Days   *int   `json:"days,omitempty" about:"For how long; nothing for no end. A network is banned for thirty days at most."`
	Report *int   `json:"report,omitempty" about:"Because of which report."`
}

// deskDeeds are what operators do by the page. Who is an operator is settled on the
// machine.
func deskDeeds() []string {
	return []string{peace.Mute, peace.Unmute, peace.Rename, peace.Ban, peace.Unban, peace.BanNetwork, peace.UnbanNetwork, peace.SignOut}
}

// longestAct is for how many days at most somebody is muted or banned by the page, and
// not for good.
const longestAct = 3650

func (c *call) doAct(in actBody) (DeskAct, error) {
	days, report := 0, 0
	if in.Days != nil {
		days = *in.Days
	}
	if in.Report != nil {
		report = *in.Report
	}
	n := utf8.RuneCountInString(in.Why)
	if !slices.Contains(deskDeeds(), in.Do) || n < 1 || n > peace.LongestWhy || days < 0 || days > longestAct || in.Days != nil && days == 0 || report < 0 {
		return DeskAct{}, game.Blame("server.act", game.Args{"most": peace.LongestWhy})
	}
	ctx := c.r.Context()
	account, err := c.desk.account(c.r.PathValue("person"))
	if err != nil {
		return DeskAct{}, err
	}
	person, err := c.desk.meant(ctx, account, in.Do)
	if err != nil {
		return DeskAct{}, err
	}
	whom, err := c.desk.Hall.Peace().Marks(ctx, person)
	if err != nil {
		return DeskAct{}, err
	}
	if whom.Operator { // operators do nothing to each other: that is settled on the machine
		return DeskAct{}, game.Refuse("", "server.act.operator", nil)
	}
	act, err := c.desk.Do(ctx, peace.Order{Do: in.Do, Account: account, By: c.by.ID, Why: in.Why, Report: int64(report)}, time.Duration(days)*24*time.Hour)
	if err == nil {
		c.security("operator: " + in.Do)
	}
	return act, deskError(err)
}

// deskError says in which words something is not done for an operator.
func deskError(err error) error {
	switch {
	case errors.Is(err, peace.ErrOperator):
		return store.ErrNone
	case errors.Is(err, peace.ErrNothing):
		return game.Refuse("", "server.act.nothing", nil)
	case errors.Is(err, peace.ErrNetwork):
		return game.Refuse("", "server.act.network", nil)
	}
	return err
}

// actsReply is what operators did.
type actsReply struct {
	Acts []DeskAct `json:"acts"`
}

func (c *call) acts(none) (actsReply, error) {
	before, err := c.number("before", 0)
	if err != nil {
		return actsReply{}, err
	}
	list, err := c.desk.Acts(c.r.Context(), int64(before), mostReports)
	return actsReply{list}, err
}

// minePeace is what is kept of me for the peace of the house.
type minePeace struct {
	Reports  []mineReport `json:"reports" about:"What I have reported."`
	Acts     []mineAct    `json:"acts" about:"What operators did about me."`
	Networks int          `json:"networks" about:"From how many networks I came within thirty days. They are kept as keyed hashes."`
}

// mineReport is something that I have reported.
type mineReport struct {
	At    table.Time `json:"at"`
	Why   string     `json:"why"`
	Text  string     `json:"text,omitempty"`
	Table string     `json:"table,omitempty"`
	Line  *int       `json:"line,omitempty"`
}

// mineAct is what an operator did about me.
type mineAct struct {
	At    table.Time  `json:"at"`
	Do    string      `json:"do"`
	Why   string      `json:"why"`
	Until *table.Time `json:"until,omitempty"`
}

func (c *call) minePeace() (minePeace, error) {
	ctx, book := c.r.Context(), c.Hall.Peace()
	mine := minePeace{Reports: []mineReport{}, Acts: []mineAct{}}
	reports, texts, err := book.ReportsBy(ctx, c.by.ID, store.MostListed)
	if err != nil {
		return mine, err
	}
	for i, r := range reports {
		mine.Reports = append(mine.Reports, mineReport{table.Time(r.At), r.Why, texts[i], r.Table, r.Line})
	}
	alias, err := book.AliasOf(ctx, c.by.ID)
	if err != nil {
		return mine, err
	}
	acts, err := book.ActsAbout(ctx, alias, store.MostListed)
	if err != nil {
		return mine, err
	}
	for _, a := range acts {
		mine.Acts = append(mine.Acts, mineAct{table.Time(a.At), a.Do, a.Why, untilOf(a.Until)})
	}
	networks, err := book.Networks(ctx, c.by.ID, c.Hall.Now())
	mine.Networks = len(networks)
	return mine, err
}
