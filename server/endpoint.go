package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	media "mime"
	"net/http"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"copse/game"
	"copse/server/hall"
	"copse/store"
)

// access is who may ask for something.
type access int

const (
	visitors access = iota - 1 // also without an account; programs may not
	anyone                     // also without an account
	players                    // who has an account, or a token
	persons                    // who has an account; programs may not
)

// endpoint is something that can be asked for: what the OpenAPI document says of
// it, and how it is answered.
type endpoint struct {
	name    string // the operation, for ever
	method  string
	path    string
	group   string // under which it stands in the document
	about   string // one sentence
	more    string // what else is to be known
	who     access
	query   []parameter
	once    bool         // it may be sent again under the same key
	cookie  bool         // a good answer sets the cookie, or ends it
	asks    reflect.Type // what is in the body; nil for none
	gives   reflect.Type // what is answered; nil for nothing
	mime    string       // of an answer that is no JSON
	gift    string       // what that answer is
	status  int          // of a good answer
	refuses []int        // statuses of others, besides those that refusals finds by itself
	most    int64        // bytes of the body
	banned  bool         // also who is banned may ask for it
	long    bool         // it is done at many tables, and may take longer than other things

	answer func(*call) error
}

// parameter is a part of the address behind the question mark.
type parameter struct {
	name  string
	kind  string // integer, boolean or string
	least int    // of an integer
	many  bool   // it may be there several times
	about string
}

// call is a request while it is answered.
type call struct {
	*Server
	w          http.ResponseWriter
	r          *http.Request   // its context ends when the store has been waited for too long, not when the client hangs up
	connection context.Context // ends when the client hangs up
	end        *endpoint
	by         hall.Account // nobody where it is zero
	pass       store.Pass
	body       []byte

	waited func() // ends the wait for the store
	status int    // of the answer, once there is one
	then   func() // what goes on after the answer has begun; nil for nothing
}

// none is a body or an answer with nothing in it.
type none struct{}

// on makes an endpoint of a function that gets what was asked and gives the answer.
func on[In, Out any](e endpoint, do func(*call, In) (Out, error)) endpoint {
	if t := reflect.TypeFor[In](); t != reflect.TypeFor[none]() {
		e.asks = t
	}
	if t := reflect.TypeFor[Out](); t != reflect.TypeFor[none]() {
		e.gives = t
	}
	if e.status == 0 {
		e.status = http.StatusOK
		if e.gives == nil {
			e.status = http.StatusNoContent
		}
	}
	if e.most == 0 {
		e.most = largestBody
	}
	e.answer = func(c *call) error {
		var in In
		if e.asks != nil && e.asks != reflect.TypeFor[tableBody]() { // that one is read by package table
			if err := read(c.body, &in); err != nil {
				return err
			}
		}
		out, err := do(c, in)
		if err != nil || c.status != 0 { // it may have answered in its own way
			return err
		}
		if e.gives == nil {
			c.begin(e.status)
			return nil
		}
		return c.reply(e.status, out)
	}
	return e
}

// mount makes routes of the list.
func (s *Server) mount(mux *http.ServeMux) {
	list := endpoints()
	allow := map[string][]string{}
	for i := range list {
		e := &list[i]
		allow[e.path] = append(allow[e.path], e.method)
		if e.method == http.MethodGet {
			allow[e.path] = append(allow[e.path], http.MethodHead)
		}
		mux.Handle(e.method+" "+e.path, s.handle(e))
	}
	for path, methods := range allow {
		slices.Sort(methods)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			p, _ := problemOf(game.Refuse("", "server.method", game.Args{"allow": methods}))
			p.write(w, r)
		})
	}
	mux.HandleFunc("/api/", nothing)
	mux.HandleFunc("/api", nothing)
	s.document(mux, list)
}

// handle answers requests for an endpoint.
func (s *Server) handle(e *endpoint) http.Handler {
	var figures *operation
	if s.Figures != nil {
		figures = s.Figures.operation(e.name, e.mime != eventStream)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = unnoted(w)
		// Work that has begun is finished and answered, also where the client has
		// closed its half of the connection: to net/http that looks as if the
		// client had hung up.
		c := &call{Server: s, w: w, r: r, connection: r.Context(), end: e}
		c.wait()
		defer func() { c.waited() }()
		begun := time.Now()
		if err := c.whole(); err != nil {
			c.fail(err)
		}
		took := time.Since(begun)
		if figures != nil {
			figures.count(c.status, took)
		}
		s.logAnswer(r, e.name, c.status, took, length(w.Header()))
		if c.then != nil {
			c.then()
		}
	})
}

// wait begins to wait for the store. A store that hangs is not waited for as long as
// it hangs: the client is told to try again. What is being written then is written or
// not, whether or not anybody waits for it.
func (c *call) wait() {
	patience := c.Patience
	if c.end.long {
		patience = max(patience, longPatience)
	}
	work, done := context.WithTimeout(context.WithoutCancel(c.connection), patience)
	c.r, c.waited = c.r.WithContext(work), done
}

// whole runs the call, and turns a panic into an error.
func (c *call) whole() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("broken down: %v\n%s", fault, debug.Stack())
		}
	}()
	return c.run()
}

// run lets the request in, finds out who asks, and answers.
func (c *call) run() error {
	by, pass, err := c.identify(c.r)
	by.Network = c.network(c.r)
	c.by, c.pass = by, pass
	c.warn()
	if err := c.often("requests", c.client(), quota{c.limits.Requests, time.Second, max(2*c.limits.Requests, 1)}); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	switch {
	case c.end.who >= players && by.ID == "":
		return game.Refuse("", "server.who", nil)
	case (c.end.who == persons || c.end.who == visitors) && by.Program:
		return game.Refuse("", "server.person", nil)
	}
	if err := c.unbanned(); err != nil {
		return err
	}
	begun := time.Now()
	if c.body, err = c.readBody(); err != nil {
		return err
	}
	if time.Since(begun) > c.Patience/8 { // which the store has nothing to do with
		c.waited()
		c.wait()
	}
	if len(c.body) > 0 && c.end.method != get && !isJSON(c.r.Header["Content-Type"]) {
		return game.Refuse("", "server.type", nil)
	}
	if c.end.asks == nil {
		c.body = nil
	}
	if !utf8.Valid(c.body) {
		return game.Blame("json.object", nil) // what JSON is written in
	}
	return c.end.answer(c)
}

// isJSON tells whether a header Content-Type says JSON, which is written in UTF-8.
// What says nothing is refused too: another site can have a browser send any bytes so.
func isJSON(types []string) bool {
	if len(types) != 1 {
		return false
	}
	if types[0] == jsonType[0] { // as nearly everybody says it
		return true
	}
	kind, parameters, err := media.ParseMediaType(types[0])
	if charset, said := parameters["charset"]; said && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	return err == nil && kind == jsonType[0]
}

// readBody reads the whole body, also where nothing is done with it: a request of
// which a part is missing is not carried out.
func (c *call) readBody() ([]byte, error) {
	if c.r.Body == nil || c.r.Body == http.NoBody {
		return nil, nil
	}
	raw, err := c.takeBody()
	var large *http.MaxBytesError
	switch {
	case err == nil || errors.As(err, &large):
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = game.Refuse("", "server.slow", game.Args{"seconds": int(readTime.Seconds())})
	default: // it was cut off, or its chunks are none
		err = game.Refuse("", "server.cut", nil)
	}
	return raw, err // net/http closes the connection: nobody knows where the next request begins
}

// shortBody is how many bytes a body has at most for which space is made because its
// sender says so.
const shortBody = 4 << 10

// takeBody reads as much of the body as there may be.
func (c *call) takeBody() ([]byte, error) {
	if n := c.r.ContentLength; n > 0 && n <= shortBody {
		raw := make([]byte, n)
		_, err := io.ReadFull(c.r.Body, raw)
		return raw, err
	}
	return io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, cmp.Or(c.end.most, largestBody)))
}

// client is for whom requests are counted: an account wherever it asks from, else
// an address.
func (c *call) client() string {
	if c.by.ID != "" {
		return c.by.ID
	}
	return c.address(c.r)
}

// often is nil, or says that the client must wait.
func (c *call) often(what, who string, q quota) error { return c.Server.often(c.r, what, who, q) }

// fail answers with a problem, unless an answer has begun.
func (c *call) fail(err error) {
	p, ours := problemOf(err)
	switch times := 1; {
	case !ours:
	case p.Status == http.StatusServiceUnavailable: // which many meet at the same time, and again and again
		if times = c.watch.count(p.Key+" "+c.end.name, c.Hall.Now()); times == 0 {
			break
		}
		fallthrough
	default:
		c.Log.Error("not answered", "do", c.end.name, "status", p.Status, "err", err, "times", times)
	}
	c.securityRefusal(&p)
	if c.status == 0 {
		c.status = p.Status
		p.write(c.w, c.r)
	}
}

// What nearly every answer says of itself, made once as in secured.
var (
	noStore  = []string{"no-store"}
	jsonType = []string{"application/json"}
)

// measured is how many bytes an answer has from which on its length is said: net/http
// counts shorter ones by itself.
const measured = 2 << 10

// begin begins an answer.
func (c *call) begin(status int) {
	c.status = status
	c.w.Header()["Cache-Control"] = noStore
	c.w.WriteHeader(status)
}

// reply answers with JSON.
func (c *call) reply(status int, out any) error {
	raw, err := json.Marshal(out)
	if err != nil {
		return err
	}
	c.write(status, jsonType, append(raw, '\n'))
	return nil
}

// send answers with bytes.
func (c *call) send(status int, mime string, raw []byte) { c.write(status, []string{mime}, raw) }

func (c *call) write(status int, mime []string, raw []byte) {
	h := c.w.Header()
	h["Content-Type"] = mime
	if len(raw) >= measured {
		h.Set("Content-Length", strconv.Itoa(len(raw)))
	}
	c.begin(status)
	_, _ = c.w.Write(raw) // an error means that the client has hung up: there is nobody to tell
}

// query is a part of the address behind the question mark; ok tells that it is there.
func (c *call) query(name string) (text string, ok bool) {
	list := c.r.URL.Query()[name]
	if len(list) == 0 {
		return "", false
	}
	return list[0], true
}

// number is a parameter that is a number, or what is usual.
func (c *call) number(name string, usual int) (int, error) {
	text, ok := c.query(name)
	if !ok {
		return usual, nil
	}
	n, err := strconv.ParseInt(text, 10, 32) // as long as an int is everywhere
	if err != nil || n < int64(c.least(name)) {
		return 0, game.Blame("server.query", game.Args{"name": name})
	}
	return int(n), nil
}

// least is the least that a parameter may be.
func (c *call) least(name string) int {
	for _, q := range c.end.query {
		if q.name == name {
			return q.least
		}
	}
	panic("server: " + c.end.name + " has no parameter " + name)
}

// flag is a parameter that is true or false.
func (c *call) flag(name string) (bool, error) {
	text, ok := c.query(name)
	if ok && text != "true" && text != "false" {
		return false, game.Blame("server.query", game.Args{"name": name})
	}
	return text == "true", nil
}

// longestKey is how long the key of a request may be.
const longestKey = 64

// onceBy is the key under which the request may be sent again.
func (c *call) onceBy() (store.Once, error) {
	key := c.r.Header.Get("Idempotency-Key")
	if len(key) > longestKey {
		return store.Once{}, game.Blame("server.key.form", game.Args{"most": longestKey})
	}
	for _, b := range []byte(key) {
		if b < '!' || b > '~' {
			return store.Once{}, game.Blame("server.key.form", game.Args{"most": longestKey})
		}
	}
	asked := make([]byte, 0, len(c.end.name)+len(c.r.URL.Path)+len(c.body)+2)
	asked = append(append(asked, c.end.name...), '\n')
	asked = append(append(asked, c.r.URL.Path...), '\n')
	return store.Once{Key: key, Asked: append(asked, c.body...)}, nil
}

// table is the table of the address.
func (c *call) table() string { return c.r.PathValue("table") }
