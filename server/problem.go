package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"copse/game"
	"copse/i18n"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// Phrases are the keys that the server itself says, with their arguments.
func Phrases() []game.Phrase {
	say := game.Say
	return append([]game.Phrase{
		say("server.path"),
		say("server.method", "allow"),
		say("server.none"),
		say("server.who"),
		say("server.whom"),
		say("server.token"),
		say("server.person"),
		say("server.signed-in"),
		say("server.origin"),
		say("server.slow", "seconds"),
		say("server.cut"),
		say("server.type"),
		say("server.say"),
		say("server.large", "most"),
		say("server.often", "seconds"),
		say("server.streams", "most"),
		say("server.watched", "most"),
		say("server.tables", "most"),
		say("server.programs", "most"),
		say("server.query", "name"),
		say("server.key"),
		say("server.key.form", "most"),
		say("server.name", "most"),
		say("server.code"),
		say("server.continue", "name"),
		say("server.host"),
		say("server.name.held", "name"),
		say("server.passkeys", "why"),
		say("server.passkey"),
		say("server.passkey.copied"),
		say("server.passkey.last"),
		say("server.passkey.many", "most"),
		say("server.ticket"),
		say("server.recent", "minutes"),
		say("server.member"),
		say("server.recovery"),
		say("server.replace", "name", "tables"),
		say("server.zone", "zone"),
		say("server.entry", "entry", "last"),
		say("server.busy"),
		say("server.apart"),
		say("server.blocked"),
		say("server.blocks", "most"),
		say("server.friend.self"),
		say("server.friend.program"),
		say("server.friend.asks", "most"),
		say("server.friends", "most"),
		say("server.friends.other", "most"),
		say("server.invite.full"),
		say("server.company.people"),
		say("server.companies", "most"),
		say("server.sides"),
		say("server.disk"),
		say("server.older"),
		say("server.unsure"),
		say("server.whom"),
		say("server.banned", "until", "why"),
		say("server.muted", "until", "why"),
		say("server.network", "until"),
		say("server.word"),
		say("server.chat", "mode"),
		say("server.name.barred"),
		say("server.report", "most"),
		say("server.report.self"),
		say("server.act", "most"),
		say("server.act.operator"),
		say("server.act.nothing"),
		say("server.act.network"),
		say("server.stops"),
		say("server.broken"),
		say("server.push.off"),
		say("server.push.here"),
		say("server.push.service"),
		say("server.push.subscription"),
	}, append(cardPhrases(), chimePhrases()...)...)
}

// Problem is why something is not done: words for who reads it as it comes, and
// a key with arguments and the number of the rule for programs, which find their
// own words (RFC 9457).
type Problem struct {
	Title  string    `json:"title" about:"In the language that was asked for."`
	Status int       `json:"status" about:"The same as in the answer's first line."`
	Key    string    `json:"key"`
	Args   game.Args `json:"args"`
	Rule   string    `json:"rule" about:"Of the game; empty where no rule is broken."`
	Move   *int      `json:"move,omitempty" about:"Which move of a draft, from 0."`
}

// statuses are those of keys that do not have the usual one of their kind.
func statuses() map[string]int {
	return map[string]int{
		"server.path":       http.StatusNotFound,
		"server.method":     http.StatusMethodNotAllowed,
		"server.none":       http.StatusNotFound,
		"server.who":        http.StatusUnauthorized,
		"server.token":      http.StatusUnauthorized,
		"server.person":     http.StatusForbidden,
		"server.origin":     http.StatusForbidden,
		"server.banned":     http.StatusForbidden,
		"server.network":    http.StatusForbidden,
		"table.stranger":    http.StatusForbidden,
		"table.host":        http.StatusForbidden,
		"table.barred":      http.StatusForbidden,
		"table.barred.with": http.StatusForbidden,
		"table.invite":      http.StatusForbidden,
		"table.sight":       http.StatusForbidden,
		"server.host":       http.StatusMisdirectedRequest,
		"server.slow":       http.StatusRequestTimeout,
		"server.cut":        http.StatusBadRequest,
		"server.large":      http.StatusRequestEntityTooLarge,
		"server.type":       http.StatusUnsupportedMediaType,
		"server.often":      http.StatusTooManyRequests,
		"server.streams":    http.StatusTooManyRequests,
		"server.tables":     http.StatusTooManyRequests,
		"server.programs":   http.StatusTooManyRequests,
		"server.key":        http.StatusUnprocessableEntity,
		"server.apart":      http.StatusForbidden,
		"server.busy":       http.StatusServiceUnavailable,
		"server.disk":       http.StatusServiceUnavailable,
		"server.unsure":     http.StatusServiceUnavailable,
		"server.stops":      http.StatusServiceUnavailable,
		"server.older":      http.StatusServiceUnavailable,
		"server.broken":     http.StatusInternalServerError,
	}
}

// problemOf makes the problem that the client is told of an error, and says whether
// the operator must hear of it. Only keys and arguments of an error go out.
func problemOf(err error) (p Problem, ours bool) {
	var (
		refusal *game.Refusal
		fault   *game.Fault
		bad     *table.BadMove
		large   *http.MaxBytesError
	)
	if errors.As(err, &bad) {
		p.Move = &bad.Move
	}
	switch {
	case errors.Is(err, hall.ErrUnsure): // whatever else it is
		p.Key, p.Move, ours = "server.unsure", nil, true
	case errors.Is(err, hall.ErrNewer): // which is no fault of whoever asks
		p.Key, p.Move, ours = "server.older", nil, true
	case errors.As(err, &refusal):
		p.Status, p.Key, p.Args, p.Rule = http.StatusConflict, refusal.Key, refusal.Args, refusal.Rule
	case errors.As(err, &fault):
		p.Status, p.Key, p.Args = http.StatusBadRequest, fault.Key, fault.Args
	case errors.As(err, &large):
		p.Key, p.Args = "server.large", game.Args{"most": large.Limit}
	case errors.Is(err, store.ErrNone), errors.Is(err, store.ErrID):
		p.Key = "server.none"
	case errors.Is(err, store.ErrReused):
		p.Key = "server.key"
	case errors.Is(err, store.ErrOver):
		p.Status, p.Key = http.StatusConflict, "table.over"
	case errors.Is(err, store.ErrClosed), errors.Is(err, hall.ErrStopped), errors.Is(err, context.Canceled):
		p.Key = "server.stops"
	case errors.Is(err, store.ErrFailed): // the server ends itself and is started again
		p.Key, ours = "server.stops", true
	case errors.Is(err, store.ErrUnknown):
		p.Key, ours = "server.unsure", true
	case errors.Is(err, store.ErrUnwritten), errors.Is(err, store.ErrAway), errors.Is(err, context.DeadlineExceeded):
		p.Key, ours = "server.disk", true
	default:
		p.Key, ours = "server.broken", true
	}
	if status, ok := statuses()[p.Key]; ok {
		p.Status = status
	}
	p.Args = brief(p.Args)
	return p, ours
}

// longestEcho is how much of a text from outside is said back.
const longestEcho = 100

// brief shortens a text from outside before it is said back.
func brief(args game.Args) game.Args {
	short := game.Args{}
	for name, value := range args {
		if text, ok := value.(string); ok && len(text) > longestEcho {
			value = strings.ToValidUTF8(text[:longestEcho], "") + "…"
		}
		short[name] = value
	}
	return short
}

// problemType is the type of a problem.
const problemType = "application/problem+json"

// write answers with the problem, in the language that was asked for.
func (p Problem) write(w http.ResponseWriter, r *http.Request) {
	p.Title = i18n.Pick(r.Header.Get("Accept-Language")).Say(p.Key, p.Args, nil)
	raw, err := json.Marshal(p)
	if err != nil {
		raw = []byte(`{"title":"","status":500,"key":"server.broken","args":{},"rule":""}`)
	}
	h := w.Header()
	h.Set("Content-Type", problemType)
	h.Set("Content-Language", i18n.Pick(r.Header.Get("Accept-Language")).Tag())
	h.Set("Cache-Control", "no-store")
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="copse"`)
	case http.StatusUnsupportedMediaType:
		h["Accept"] = jsonType
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait := 1
		if n, ok := p.Args["seconds"].(int); ok {
			wait = n
		}
		h.Set("Retry-After", strconv.Itoa(wait))
	}
	raw = append(raw, '\n')
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(p.Status)
	_, _ = w.Write(raw) // an error means that the client has hung up: there is nobody to tell
}
