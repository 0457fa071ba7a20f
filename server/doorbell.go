package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"copse/doorbell"
	"copse/game"
	"copse/i18n"
	"copse/push"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// browsersAnHour is how often one person switches the doorbell on, and triesAnHour how
// often they have it rung to see whether it works.
const (
	browsersAnHour = 30
	triesAnHour    = 10
)

// languages are those in which browsers are told something.
func languages() (tags []string) {
	for _, l := range i18n.Locales() {
		tags = append(tags, l.Tag())
	}
	return tags
}

// doorbellReply is what I am told though no page of mine is open, and where.
type doorbellReply struct {
	Offered bool   `json:"offered" about:"Whether this server tells browsers anything."`
	Key     string `json:"key,omitempty" about:"The key of the house, which a browser subscribes by (applicationServerKey): base64url, 65 bytes."`

	Browsers []browserReply `json:"browsers" about:"The newest first."`
	Paces    []string       `json:"paces" about:"The paces at which I am told that it is my turn. One of a table's own counts as the one of these that is most like it."`
	Invites  bool           `json:"invites" about:"Whether I am told that somebody asks me to a table."`
	From     int            `json:"from" about:"From when on I am left alone, in minutes of the day; until then what I would have been told waits."`
	To       int            `json:"to" about:"Until when. The same as from: never."`
	Zone     string         `json:"zone" about:"By whose clocks, such as Europe/Zurich; empty where it was never switched on."`
}

// browserReply is a browser of mine that is told something.
type browserReply struct {
	ID       string     `json:"id"`
	Browser  string     `json:"browser,omitempty" about:"Such as Firefox, where that is known."`
	System   string     `json:"system,omitempty" about:"Such as Linux, where that is known."`
	Language string     `json:"language"`
	Born     table.Time `json:"born"`
	Here     bool       `json:"here" about:"It is the one that asks."`
}

// browserBody is a browser that is to be told something.
type browserBody struct {
	Subscription browserJSON `json:"subscription" about:"As PushSubscription.toJSON gives it. Its service must be one of those that browsers have."`
	Language     string      `json:"language" about:"In which it is told."`
	Zone         string      `json:"zone" about:"Where it is, such as Europe/Zurich: nights are counted by it unless another was chosen."`
	Old          *string     `json:"old,omitempty" about:"The endpoint that it had before, which is forgotten."`
}

// doorbellBody is what I choose to be told.
type doorbellBody struct {
	Live    *bool   `json:"live,omitempty" about:"Of my turn in games that are played at once."`
	Evening *bool   `json:"evening,omitempty" about:"Of my turn in games of an evening."`
	Days    *bool   `json:"days,omitempty" about:"Of my turn in games over days."`
	Invites *bool   `json:"invites,omitempty" about:"That somebody asks me to a table."`
	From    *int    `json:"from,omitempty" about:"From when on I am left alone, in minutes of the day."`
	To      *int    `json:"to,omitempty" about:"Until when. The same as from: never."`
	Zone    *string `json:"zone,omitempty" about:"By whose clocks."`
}

// triedReply is what became of a try.
type triedReply struct {
	Outcome string `json:"outcome" about:"Whether the push service has taken it, the browser has ended its subscription, which is now forgotten, the service has refused it, or it has not answered."`
}

// The outcomes of a try.
func triedOutcomes() []string {
	return []string{string(doorbell.Sent), string(doorbell.Gone), string(doorbell.Refused), string(doorbell.Silent)}
}

func (c *call) doorbell(none) (doorbellReply, error) { return c.rings(c.r.Context()) }

// rings is how my doorbell is set.
func (c *call) rings(ctx context.Context) (doorbellReply, error) {
	a, err := c.Hall.Account(ctx, c.by.ID)
	if err != nil {
		return doorbellReply{}, err
	}
	chosen := hall.UsualChimes("")
	if a.Chimes != nil {
		chosen = *a.Chimes
	}
	reply := doorbellReply{Browsers: []browserReply{}, Paces: append([]string{}, chosen.Paces...), Invites: chosen.Invites, From: chosen.From, To: chosen.To, Zone: chosen.Zone}
	if c.Doorbell == nil {
		return reply, nil
	}
	reply.Offered, reply.Key = true, base64.RawURLEncoding.EncodeToString(c.Doorbell.Public())
	list, err := c.Doorbell.Good(ctx, c.by.ID)
	if err != nil {
		return reply, err
	}
	for _, one := range list {
		browser, system := labelled(one.Label)
		reply.Browsers = append(reply.Browsers, browserReply{one.ID, browser, system, one.Language, table.At(one.Born), one.Session == sessionKey(c.pass)})
	}
	return reply, nil
}

// sessionKey is what a doorbell knows a session by.
func sessionKey(p store.Pass) string { return hex.EncodeToString(p.Digest[:]) }

// noDoorbell refuses what needs a doorbell where there is none.
func (c *call) noDoorbell() error {
	if c.Doorbell == nil {
		return game.Refuse("", "server.push.off", nil)
	}
	return nil
}

func (c *call) addBrowser(in browserBody) (doorbellReply, error) {
	if !slices.Contains(languages(), in.Language) {
		return doorbellReply{}, game.Blame("table.setting", game.Args{"field": "language", "value": in.Language, "known": languages()})
	}
	if err := hall.CheckZone(in.Zone); err != nil {
		return doorbellReply{}, err
	}
	if err := c.noDoorbell(); err != nil {
		return doorbellReply{}, err
	}
	if err := c.often("browsers", c.by.ID, quota{browsersAnHour, time.Hour, browsersAnHour}); err != nil {
		return doorbellReply{}, err
	}
	ctx := c.r.Context()
	_, err := c.Doorbell.Add(ctx, c.by.ID, in.Subscription, sessionKey(c.pass), deviceLabel(c.r.UserAgent()), in.Language)
	switch {
	case errors.Is(err, push.ErrService):
		return doorbellReply{}, game.Refuse("", "server.push.service", nil)
	case errors.Is(err, push.ErrSubscription):
		return doorbellReply{}, game.Refuse("", "server.push.subscription", nil)
	case err != nil:
		return doorbellReply{}, err
	}
	c.security("doorbell on")
	if in.Old != nil {
		if err := c.Doorbell.DropEndpoint(ctx, c.by.ID, *in.Old); err != nil {
			return doorbellReply{}, hall.Unsure(err)
		}
	}
	if err := c.choose(func(now *hall.Chimes) {
		now.On = true
		if now.Zone == "" {
			now.Zone = in.Zone
		}
	}); err != nil {
		return doorbellReply{}, hall.Unsure(err)
	}
	return c.rings(ctx)
}

// choose changes what somebody is told.
func (c *call) choose(change func(*hall.Chimes)) error {
	return c.Hall.ChangeAccount(c.r.Context(), c.by.ID, func(a *hall.Account) error {
		chosen := hall.UsualChimes("")
		if a.Chimes != nil {
			chosen = *a.Chimes
		}
		change(&chosen)
		a.Chimes = &chosen
		return nil
	})
}

func (c *call) setDoorbell(in doorbellBody) (doorbellReply, error) {
	for name, at := range map[string]*int{"from": in.From, "to": in.To} {
		if at != nil && (*at < 0 || *at > lastMinute) {
			return doorbellReply{}, game.Blame("json.range", game.Args{"field": name, "least": 0, "most": lastMinute})
		}
	}
	if in.Zone != nil {
		if err := hall.CheckZone(*in.Zone); err != nil {
			return doorbellReply{}, err
		}
	}
	err := c.choose(func(now *hall.Chimes) {
		for pace, wanted := range map[string]*bool{table.Live: in.Live, table.Evening: in.Evening, table.Days: in.Days} {
			if wanted == nil {
				continue
			}
			now.Paces = slices.DeleteFunc(now.Paces, func(p string) bool { return p == pace })
			if *wanted {
				now.Paces = append(now.Paces, pace)
			}
		}
		slices.SortFunc(now.Paces, func(a, b string) int { return slices.Index(hall.ChimePaces(), a) - slices.Index(hall.ChimePaces(), b) })
		set(&now.Invites, in.Invites)
		set(&now.From, in.From)
		set(&now.To, in.To)
		set(&now.Zone, in.Zone)
	})
	if err != nil {
		return doorbellReply{}, err
	}
	return c.rings(c.r.Context())
}

// lastMinute is the last of a day.
const lastMinute = 24*60 - 1

// set sets what was given.
func set[T any](at *T, to *T) {
	if to != nil {
		*at = *to
	}
}

func (c *call) dropBrowser(none) (none, error) {
	if c.Doorbell == nil {
		return none{}, store.ErrNone
	}
	err := c.Doorbell.Drop(c.r.Context(), c.by.ID, c.r.PathValue("browser"))
	if errors.Is(err, doorbell.ErrNone) {
		err = store.ErrNone
	}
	if err != nil {
		return none{}, err
	}
	c.security("doorbell off")
	return none{}, hall.Unsure(c.unplug(c.by.ID))
}

// unplug notes that there is no browser of somebody any more at which to ring, where there
// is none.
func (c *call) unplug(account string) error {
	list, err := c.Doorbell.Browsers(c.r.Context(), account)
	if err != nil || len(list) > 0 {
		return err
	}
	a, err := c.Hall.Account(c.r.Context(), account)
	if err != nil || a.Chimes == nil || !a.Chimes.On {
		return err
	}
	return c.Hall.ChangeAccount(c.r.Context(), account, func(a *hall.Account) error {
		if a.Chimes != nil {
			off := *a.Chimes
			off.On = false
			a.Chimes = &off
		}
		return nil
	})
}

// disconnect has no browser told anything any more that was switched on in such a session
// of mine. It is done before the session ends, so that who is told that it failed can ask
// again.
func (c *call) disconnect(which func(session string) bool) error {
	if c.Doorbell == nil || c.by.ID == "" {
		return nil
	}
	n, err := c.Doorbell.DropWhere(c.r.Context(), c.by.ID, func(one doorbell.Browser) bool { return which(one.Session) })
	if err == nil && n > 0 {
		err = c.unplug(c.by.ID)
	}
	return err
}

// disconnectPass does so for one session.
func (c *call) disconnectPass(p store.Pass) error {
	return c.disconnect(func(session string) bool { return session == sessionKey(p) })
}

func (c *call) tryDoorbell(none) (triedReply, error) {
	if err := c.noDoorbell(); err != nil {
		return triedReply{}, err
	}
	if err := c.often("doorbell", c.by.ID, quota{triesAnHour, time.Hour, triesAnHour}); err != nil {
		return triedReply{}, err
	}
	ctx := c.r.Context()
	list, err := c.Doorbell.Good(ctx, c.by.ID)
	if err != nil {
		return triedReply{}, err
	}
	i := slices.IndexFunc(list, func(one doorbell.Browser) bool { return one.Session == sessionKey(c.pass) })
	if i < 0 {
		return triedReply{}, game.Refuse("", "server.push.here", nil)
	}
	err = c.Doorbell.Try(ctx, doorbell.Note{
		Account: c.by.ID, Topic: topicOf("try", c.by.ID), TTL: time.Minute, Urgent: true, Say: tryText,
	}, list[i].ID)
	outcome := doorbell.Silent
	var refused *push.Refused
	switch {
	case err == nil:
		outcome = doorbell.Sent
	case errors.Is(err, doorbell.ErrNone), errors.Is(err, push.ErrGone):
		outcome = doorbell.Gone
	case errors.As(err, &refused):
		outcome = doorbell.Refused
	}
	return triedReply{string(outcome)}, nil
}

// goodSessions tells which sessions of somebody have not ended.
func (s *Server) goodSessions(ctx context.Context, account string) (func(session string) bool, error) {
	nobody := func(string) bool { return false }
	a, err := s.Hall.Account(ctx, account)
	if errors.Is(err, store.ErrNone) {
		return nobody, nil
	}
	if err != nil {
		return nil, err
	}
	now := s.Hall.Now()
	list, err := s.Hall.Passes().Passes(ctx, account, store.Session, now)
	if err != nil {
		return nil, err
	}
	good := map[string]bool{}
	for _, p := range list {
		if sessionEnd(&a, p).After(now) {
			good[sessionKey(p)] = true
		}
	}
	return func(session string) bool { return good[session] }, nil
}

// Chimer says what is to be told in the words of whoever is told, and rings.
type Chimer struct{ Bell *doorbell.Bell }

// How long what is told is of use.
const (
	leastChime  = time.Minute
	mostChime   = 7 * 24 * time.Hour
	clocklessly = 3 * 24 * time.Hour // a turn without a clock
	inviteTime  = 30 * time.Minute
	soonOver    = 2 * time.Hour // what is of use for no longer wakes a phone
)

// Ring tells somebody something, and does not wait.
func (r Chimer) Ring(account string, c hall.Chime) {
	ttl := clocklessly
	switch {
	case c.Do == hall.ChimeInvite:
		ttl = inviteTime
	case c.Until > 0:
		ttl = min(max(time.Duration(c.Until-c.At)*time.Millisecond, leastChime), mostChime)
	}
	r.Bell.Ring(doorbell.Note{
		Account: account, Topic: topicOf(c.Do+" "+c.Table, account), TTL: ttl, Urgent: ttl <= soonOver, Still: c.Still,
		Say: func(language string) []byte { return chimeText(language, c) },
	})
}

// topicOf is by which push services know that a message takes the place of another. They
// learn nothing else from it: the name of a table lets in whoever has it.
func topicOf(what, account string) string {
	sum := sha256.Sum256([]byte("copse topic 1\n" + account + "\n" + what))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

// chimeJSON is what our service worker is sent. Names in it are for ever: a worker may be
// older than the server.
type chimeJSON struct {
	Do    string     `json:"do"`
	Title string     `json:"title"`
	Body  string     `json:"body,omitempty"`
	Table string     `json:"table,omitempty"`
	At    table.Time `json:"at,omitempty"`
}

func chimePhrases() []game.Phrase {
	say := game.Say
	return game.Needed(game.Never,
		say("server.chime.turn", "game"),
		say("server.chime.invite", "game", "names"),
		say("server.chime.with", "names"),
		say("server.chime.days", "n"),
		say("server.chime.hours", "n"),
		say("server.chime.minutes", "n"),
		say("server.chime.try"),
		say("server.chime.try.about"),
	)
}

// chimeText is a chime as a browser is told it.
func chimeText(language string, c hall.Chime) []byte {
	words := i18n.Pick(language)
	say := func(key string, args game.Args) string { return words.Say(key, args, nil) }
	name := say(c.Game+".name", nil)
	out := chimeJSON{Do: c.Do, Table: c.Table, At: c.At}
	switch c.Do {
	case hall.ChimeInvite:
		out.Title = say("server.chime.invite", game.Args{"game": name, "names": c.With})
	default:
		out.Title = say("server.chime.turn", game.Args{"game": name})
		if len(c.With) > 0 {
			out.Body = say("server.chime.with", game.Args{"names": c.With})
		}
		if left := time.Duration(c.Until-c.At) * time.Millisecond; c.Until > 0 && left > 0 {
			if out.Body != "" {
				out.Body += " "
			}
			out.Body += timeLeft(say, left)
		}
	}
	return inJSON(out)
}

// timeLeft is how much time there is, as precisely as one wants to know it.
func timeLeft(say func(string, game.Args) string, left time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case left >= 2*day:
		return say("server.chime.days", game.Args{"n": int(left / day)})
	case left >= 2*time.Hour:
		return say("server.chime.hours", game.Args{"n": int(left / time.Hour)})
	}
	return say("server.chime.minutes", game.Args{"n": max(int(left/time.Minute), 1)})
}

// tryText is what a browser is told when its owner wants to see whether that works.
func tryText(language string) []byte {
	words := i18n.Pick(language)
	return inJSON(chimeJSON{Do: "try", Title: words.Say("server.chime.try", nil, nil), Body: words.Say("server.chime.try.about", nil, nil)})
}

func inJSON(c chimeJSON) []byte {
	raw, err := json.Marshal(c)
	if err != nil {
		panic(err) // texts can always be written
	}
	return raw
}
