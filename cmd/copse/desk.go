package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
	"unicode/utf8"

	"copse/games"
	"copse/news"
	"copse/peace"
	"copse/server"
	"copse/server/hall"
	"copse/store"
	"copse/store/postgres"
	"copse/store/sqlite"
)

// A server that keeps everything in a file is the only one that may write to it. So
// whoever uses copse people or copse reports while it runs hands their order to it, over
// a socket in its data folder that only its user can open. Where no server runs, and
// where several nodes share a database, the order is carried out here; nodes look for
// what is new every second.

// deskOrder is what is asked for, and deskAnswer what came of it. The two programs at
// the ends of the socket may be of different versions: fields are only added.
type deskOrder struct {
	Do      string        `json:"do"` // one of peace.Deeds, or find, show, acts, reports, report, close
	Name    string        `json:"name,omitempty"`
	Why     string        `json:"why,omitempty"`
	For     time.Duration `json:"for,omitempty"`
	Number  int64         `json:"number,omitempty"` // of a report
	All     bool          `json:"all,omitempty"`
	After   int64         `json:"after,omitempty"`
	Version string        `json:"version,omitempty"` // of the program that asks
}

type deskAnswer struct {
	People  []server.DeskPerson `json:"people,omitempty"`
	More    bool                `json:"more,omitempty"`
	Person  *server.DeskSheet   `json:"person,omitempty"`
	Act     *server.DeskAct     `json:"act,omitempty"`
	Acts    []server.DeskAct    `json:"acts,omitempty"`
	Reports []server.DeskReport `json:"reports,omitempty"`
	Report  *server.DeskReport  `json:"report,omitempty"`
	Error   string              `json:"error,omitempty"`
}

// deskList is how many reports or acts are told at once.
const deskList = 200

// answer carries an order out.
func (o deskOrder) answer(ctx context.Context, d *server.Desk) (a deskAnswer, err error) {
	switch o.Do {
	case "find":
		a.People, a.More, err = d.People(ctx, o.Name)
		return a, err
	case "acts":
		a.Acts, err = d.Acts(ctx, 0, deskList)
		return a, err
	case "reports":
		a.Reports, err = d.Reports(ctx, o.All, o.After, deskList)
		return a, err
	case "report":
		r, err := d.Report(ctx, o.Number)
		a.Report = &r
		return a, noReport(err, o.Number)
	case "close":
		err := d.Close(ctx, o.Number, "", o.Why)
		if errors.Is(err, peace.ErrNothing) {
			err = fmt.Errorf("report %d was closed before", o.Number)
		}
		return a, noReport(err, o.Number)
	}
	account, err := d.Find(ctx, o.Name)
	if errors.Is(err, store.ErrNone) {
		err = fmt.Errorf("nobody here is called %q: copse people find lists who is", o.Name)
	}
	if err != nil {
		return a, err
	}
	if o.Do == "show" {
		sheet, err := d.Sheet(ctx, account)
		a.Person = &sheet
		return a, err
	}
	if !slices.Contains(peace.Deeds(), o.Do) {
		return a, fmt.Errorf("this copse does not know what %q is: it is older than the one that asks", o.Do)
	}
	sheet, err := d.Sheet(ctx, account)
	if err != nil {
		return a, err
	}
	if o.Do == peace.MakeOperator && sheet.Member == nil {
		return a, fmt.Errorf("%s is a guest, who has nothing to sign in with: operators are members", sheet.Name)
	}
	act, err := d.Do(ctx, peace.Order{Do: o.Do, Account: account, Why: o.Why}, o.For)
	switch {
	case errors.Is(err, peace.ErrNothing):
		err = fmt.Errorf("there is nothing to take back from %s", sheet.Name)
	case errors.Is(err, peace.ErrNetwork):
		err = fmt.Errorf("it is not known from which network %s comes: that is kept for thirty days, and not for who comes from this machine", sheet.Name)
	}
	a.Act = &act
	return a, err
}

// noReport says that there is no such report.
func noReport(err error, n int64) error {
	if errors.Is(err, store.ErrNone) {
		return fmt.Errorf("there is no report %d: copse reports lists those that are open", n)
	}
	return err
}

// deskName is the socket of a server in its data folder.
const deskName = "desk"

// deskPath is that socket. The path of a socket may have some hundred bytes: where that
// of the folder is longer, Linux knows the folder by a shorter one while it is open.
func deskPath(folder string) (path string, done func(), err error) {
	path = filepath.Join(folder, deskName)
	if len(path) <= 100 || runtime.GOOS != "linux" {
		return path, func() {}, nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), deskName), func() { _ = f.Close() }, nil // it was only read
}

// openDesk has a server take orders at its desk until it is closed. A server that has
// none does without: its log says so.
func openDesk(folder string, d *server.Desk, log *slog.Logger) io.Closer {
	path, done, err := deskPath(folder)
	var on net.Listener
	if err == nil {
		on, err = listenUnix(path, 0o600)
	}
	if err != nil {
		log.Info("copse people and copse reports do not reach this server: stop it to use them", "err", err)
		return closer(func() error { return nil })
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var o deskOrder
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&o); err != nil || r.Method != http.MethodPost {
			http.Error(w, "no order", http.StatusBadRequest)
			return
		}
		a, err := o.answer(r.Context(), d)
		if err != nil {
			a = deskAnswer{Error: err.Error()}
		}
		_ = json.NewEncoder(w).Encode(a) // an error means that the client has hung up
	}), ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute}
	go func() {
		if err := srv.Serve(on); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("copse people and copse reports do not reach this server any more", "err", err)
		}
	}()
	return closer(func() error {
		err := srv.Close()
		done()
		return err
	})
}

type closer func() error

// Close calls it.
func (c closer) Close() error { return c() }

// deskFlags say whose desk it is.
type deskFlags struct {
	folderFlag
	storeFlag
	JSON bool `help:"Print what came of it as JSON, for programs."`
}

// ask has an order carried out, by a server that runs or here.
func (f deskFlags) ask(ctx context.Context, o deskOrder) (deskAnswer, error) {
	o.Version = version()
	if utf8.RuneCountInString(o.Why) > peace.LongestWhy {
		return deskAnswer{}, misused("--why and --note have at most %d characters", peace.LongestWhy)
	}
	if f.Store != "" {
		return f.askDatabase(ctx, o)
	}
	folder, err := f.folder()
	if err != nil {
		return deskAnswer{}, err
	}
	if _, err := f.database(); err != nil {
		return deskAnswer{}, err
	}
	lock, err := lockFolder(folder, "--data")
	if err != nil { // a server has it
		return askServer(ctx, folder, o)
	}
	defer func() { _ = lock.Close() }()
	key, err := readKey(filepath.Join(folder, keyName))
	if err != nil {
		return deskAnswer{}, err
	}
	kept, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		return deskAnswer{}, err
	}
	return o.here(ctx, kept, key)
}

// askDatabase carries an order out in a database that nodes share.
func (f deskFlags) askDatabase(ctx context.Context, o deskOrder) (deskAnswer, error) {
	if err := checkStore("--store", f.Store); err != nil {
		return deskAnswer{}, err
	}
	folder, err := f.folder()
	if err != nil {
		return deskAnswer{}, err
	}
	key, err := readKey(filepath.Join(folder, keyName))
	if err != nil {
		return deskAnswer{}, fmt.Errorf("%w: name the data folder of a node, in which the key of the house is, with --data", err)
	}
	kept, err := postgres.Open(ctx, f.Store, postgres.Options{Key: key})
	if err != nil {
		return deskAnswer{}, err
	}
	return o.here(ctx, kept, key)
}

// here carries an order out in a store that this process has opened. It takes nobody
// from a table: whoever serves the house does, when they see what is new.
func (o deskOrder) here(ctx context.Context, kept store.Store, key []byte) (a deskAnswer, err error) {
	h := hall.New(hall.Options{Store: kept, News: news.NewHub(), Games: games.All(), Key: key})
	defer func() {
		h.Stop()
		err = errors.Join(err, kept.Close())
	}()
	if err := h.Begin(ctx); err != nil {
		return a, err
	}
	d := server.NewDesk(h, key)
	d.Serves = false
	return o.answer(ctx, d)
}

// askServer hands an order to the server that uses a data folder.
func askServer(ctx context.Context, folder string, o deskOrder) (a deskAnswer, err error) {
	path, done, err := deskPath(folder)
	if err != nil {
		return a, err
	}
	defer done()
	raw, err := json.Marshal(o)
	if err != nil {
		return a, err
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://desk/", bytes.NewReader(raw))
	if err != nil {
		return a, err
	}
	res, err := client.Do(req)
	if err != nil {
		return a, fmt.Errorf("a copse uses %s and does not take orders at its desk: it is of an older version, or another command uses the folder, or this user is not the one it runs as (%w)", folder, err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(io.LimitReader(res.Body, 64<<20)).Decode(&a); err != nil {
		return a, fmt.Errorf("the server does not answer as it should: %w", err)
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}
