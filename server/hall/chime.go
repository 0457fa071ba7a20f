package hall

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// A person who has asked for it is told that it is their turn though no page of theirs is
// open. That a turn has begun is a job, written together with the entry that began it, so
// nothing forgets it. Whoever claims the job looks whether there is still something to
// tell, takes the job away, and only then rings: of several nodes one has taken it away,
// and one that dies in between rings no more. So a turn is told once at most.

// Doorbell tells somebody something though no page of theirs is open: by push today, it
// may be by mail another time. It must not block.
type Doorbell interface {
	Ring(account string, c Chime)
}

// Chime is what somebody is told. Nothing in it is secret to anybody who sits at the
// table, or who was invited to it.
type Chime struct {
	Do    string // one of the below
	Table string
	Game  string
	With  []string   // the others there who are no bots, or who invites
	Until table.Time // when the clock runs out; 0 for never
	At    table.Time // now

	// Still tells whether it is still so, for whoever tries again later.
	Still func(ctx context.Context) bool
}

// What a chime is about, for ever.
const (
	ChimeTurn   = "turn"   // it is their turn
	ChimeInvite = "invite" // somebody asks them to a table
)

// Chimes are what somebody wants to be told.
type Chimes struct {
	On      bool     `json:"on,omitempty"` // there may be a browser of theirs to ring at
	Paces   []string `json:"paces"`        // of ChimePaces, at which they are told of their turn
	Invites bool     `json:"invites,omitempty"`

	// Between From and To, in minutes of the day in a zone, nothing is told. Where they
	// are the same there is no such time.
	From int    `json:"from"`
	To   int    `json:"to"`
	Zone string `json:"zone"`
}

// UsualChimes are what somebody is told who has chosen nothing.
func UsualChimes(zone string) Chimes {
	return Chimes{Paces: []string{table.Days}, Invites: true, From: 22 * 60, To: 8 * 60, Zone: zone}
}

// ChimePaces are the paces that can be chosen. One of a table's own counts as the one of
// these that is most like it.
func ChimePaces() []string { return []string{table.Live, table.Evening, table.Days} }

func chimePace(p table.Pace) string {
	switch {
	case p.Near:
		return table.Live
	case p.Rest:
		return table.Days
	}
	return table.Evening
}

// chimeAfter is how long somebody has time to see by themselves that it is their turn.
// Who plays at once is mostly there.
func chimeAfter(pace string) time.Duration {
	if pace == table.Live {
		return 30 * time.Second
	}
	return 10 * time.Second
}

// CheckZone is nil where there is such a zone, else a *game.Fault.
func CheckZone(zone string) error {
	_, err := shifts(zone, time.Unix(0, 0))
	return err
}

// quietUntil tells until when somebody is to be left alone, where they are now.
func (c *Chimes) quietUntil(now time.Time) (time.Time, bool) {
	place, err := time.LoadLocation(c.Zone)
	if err != nil || c.From == c.To {
		return time.Time{}, false
	}
	local := now.In(place)
	at := local.Hour()*60 + local.Minute()
	inside := at >= c.From && at < c.To
	if c.From > c.To {
		inside = at >= c.From || at < c.To
	}
	if !inside {
		return time.Time{}, false
	}
	for day := local.Day(); ; day++ { // a night in which clocks are changed may end on the same day twice
		if end := time.Date(local.Year(), local.Month(), day, c.To/60, c.To%60, 0, 0, place); end.After(now) {
			return end, true
		}
	}
}

// turnNow is whose turn it is at a table.
type turnNow struct {
	begun bool
	seat  game.Seat
	turn  int
}

func (r *room) turnNow() turnNow { return turnNow{r.t.Begun(), r.t.ToAct(), r.t.Turn()} }

// chiming is the kind of job that tells somebody that it is their turn; named after the
// table, of which only the newest turn counts.
const chiming = "chime"

// chimeJob is which turn it was. Going back makes another turn of the same number.
type chimeJob struct {
	Seat  game.Seat `json:"seat"`
	Turn  int       `json:"turn"`
	Undos int       `json:"undos,omitempty"`
}

// chimeJobs plans to tell whoever is to act, where a turn has begun since the table was so.
// What cannot be found out is not told: no move waits for it.
func (r *room) chimeJobs(ctx context.Context, was turnNow) []store.Job {
	now := r.turnNow()
	if r.hall.doorbell == nil || !now.begun || now.seat < 0 || now == was || was.begun && was.turn == now.turn && was.seat < 0 {
		return nil // or chance has moved within a turn
	}
	account := r.accounts[now.seat]
	if account == "" {
		return nil
	}
	pace := chimePace(r.t.Settings().Times())
	if a, err := r.hall.Account(ctx, account); err != nil || !a.wants(pace) || r.t.People().Seats[now.seat].Held != table.Human {
		return nil
	}
	body, err := json.Marshal(chimeJob{now.seat, now.turn, r.undos()})
	if err != nil {
		return nil // which cannot be
	}
	return []store.Job{{Kind: chiming, Name: r.id, Due: r.hall.Now().Add(chimeAfter(pace)), Body: body}}
}

// wants tells whether somebody wants to be told of their turn at a pace.
func (a *Account) wants(pace string) bool {
	return a.Chimes != nil && a.Chimes.On && slices.Contains(a.Chimes.Paces, pace)
}

// undos is how often the table went back.
func (r *room) undos() (n int) {
	for _, at := range r.t.People().Seats {
		n += at.Undos
	}
	return n
}

// chimes begins to tell whose turn it is, where that is due.
func (h *Hall) chimes(ctx context.Context, all *sync.WaitGroup) error {
	if h.doorbell == nil {
		return nil
	}
	asking, done := context.WithTimeout(ctx, choreTime)
	defer done()
	jobs, err := h.store.Claim(asking, chiming, h.Now(), h.Now().Add(packingTime), mostDue)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		h.chore(ctx, all, chiming+" "+job.Name, func(ctx context.Context) error {
			err := h.chimeTurn(ctx, job)
			if err != nil && !errors.Is(err, store.ErrNone) { // or another node has it now
				h.trouble(ctx, "somebody is not told yet that it is their turn", err, "table", job.Name)
				return err
			}
			return nil
		})
	}
	return nil
}

// Where it is not known who looks on at other nodes, one waits for that, but not for ever.
const (
	chimeAgain = 10 * time.Second
	chimeTries = 12
)

// chimeTurn tells somebody that it is their turn, if it still is, they want to know and do
// not see it.
func (h *Hall) chimeTurn(ctx context.Context, job store.Job) error {
	var which chimeJob
	if json.Unmarshal(job.Body, &which) != nil {
		return h.store.Finish(ctx, job)
	}
	c, who, err := h.turnChime(ctx, job.Name, which)
	if err != nil {
		return err
	}
	if who == nil || h.Looks(job.Name, who.ID) {
		return h.store.Finish(ctx, job)
	}
	now := h.Now()
	if !h.within() && job.Tries < chimeTries {
		return h.store.Delay(ctx, job, now.Add(chimeAgain))
	}
	if until, quiet := who.Chimes.quietUntil(now); quiet {
		return h.store.Delay(ctx, job, until)
	}
	if err := h.store.Finish(ctx, job); err != nil { // whoever has taken it away rings
		return err
	}
	c.Still = func(ctx context.Context) bool {
		_, still, err := h.turnChime(ctx, job.Name, which)
		return err == nil && still != nil && still.ID == who.ID && !h.Looks(job.Name, who.ID)
	}
	h.doorbell.Ring(who.ID, c)
	return nil
}

// turnChime is what is to be told of a turn, and to whom: nobody where it is over, or they
// do not want to know.
func (h *Hall) turnChime(ctx context.Context, id string, which chimeJob) (c Chime, who *Account, err error) {
	r, err := h.enter(ctx, id)
	if errors.Is(err, store.ErrNone) {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, err
	}
	defer r.leave()
	if err := r.catchUp(ctx); err != nil {
		return c, nil, err
	}
	people := r.t.People()
	if people.Phase != "play" || r.turnNow() != (turnNow{true, which.Seat, which.Turn}) || r.undos() != which.Undos || people.Seats[which.Seat].Held != table.Human {
		return c, nil, nil
	}
	a, err := h.Account(ctx, r.accounts[which.Seat])
	if errors.Is(err, store.ErrNone) || err == nil && (h.leaves(&a) || !a.wants(chimePace(r.t.Settings().Times()))) {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, err
	}
	names, err := r.who()
	if err != nil {
		return c, nil, err
	}
	c = Chime{Do: ChimeTurn, Table: id, Game: r.t.Settings().Game, At: h.now()}
	for seat, one := range names {
		if one != nil && game.Seat(seat) != which.Seat {
			c.With = append(c.With, one.Name)
		}
	}
	if until, _, running := r.t.Deadline(); running {
		c.Until = until
	}
	return c, &a, nil
}

// Ring tells somebody something other than their turn, if they want to know it and it is
// not their night: what they are asked to then is over by the morning. It does not wait.
func (h *Hall) Ring(ctx context.Context, account string, c Chime) error {
	if h.doorbell == nil {
		return nil
	}
	a, err := h.Account(ctx, account)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	if a.Chimes == nil || !a.Chimes.On || !a.Chimes.Invites || h.leaves(&a) {
		return nil
	}
	if banned, err := h.Banned(ctx, a); banned != nil || err != nil {
		return err
	}
	if _, quiet := a.Chimes.quietUntil(h.Now()); quiet || c.Table != "" && h.Looks(c.Table, account) {
		return nil
	}
	if c.At == 0 {
		c.At = h.now()
	}
	h.doorbell.Ring(account, c)
	return nil
}
