package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"copse/doorbell"
	"copse/games"
	"copse/news"
	"copse/seal"
	"copse/server"
	"copse/server/hall"
	"copse/store"
	"copse/store/sqlite"
	"copse/web"
)

// house is one installation at work: a data folder with its lock, the store in it,
// the hall over the store, and the server before the hall.
type house struct {
	lock   io.Closer
	store  store.Store
	failed <-chan struct{} // closed when the store can or may not be served any more
	ring   *seal.Ring      // what seals secrets
	alone  bool            // no other node serves it
	news   carrier
	bell   *doorbell.Bell // nil: nobody is told anything
	hall   *hall.Hall
	desk   io.Closer // where operators on this machine hand in orders; nil for several nodes
	server *server.Server
	log    *slog.Logger
}

// carrier is what carries news, for whoever closes it.
type carrier interface {
	news.Carrier
	Close()
}

// databaseName is the file in the data folder in which everything is kept.
const databaseName = "copse.db"

// breathe lets four times as much garbage lie as usual before it is collected, unless
// GOGC says otherwise: a server holds little and makes much of it, and each collection
// goes through all that it holds.
func breathe() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// open opens the data folder and puts the house together.
func (c serveCommand) open(ctx context.Context, log *slog.Logger) (*house, error) {
	folder, err := dataFolder(c.Data, "--data")
	if err != nil {
		return nil, err
	}
	words, err := c.words()
	if err != nil {
		return nil, &final{err}
	}
	h := &house{log: log, alone: !c.several()}
	var key []byte
	if c.several() { // the key alone may be shared
		key, err = h.openNode(ctx, c.partsFlags, folder)
	} else {
		key, err = h.openFile(folder)
	}
	if err == nil {
		err = h.takeRing(ctx, filepath.Join(folder, keyName))
	}
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	figures := server.NewFigures()
	if err := h.hang(ctx, c, figures); err != nil {
		return nil, errors.Join(err, h.close())
	}
	machine, _ := os.Hostname() // where it has none nobody is told
	options := hall.Options{Store: h.store, News: h.news, Games: games.All(), Key: key, Version: version(), Host: machine, Log: h.log, Cores: c.Bots, Heed: figures.Heed(), Forget: c.forget()}
	if h.bell != nil {
		options.Doorbell = server.Chimer{Bell: h.bell}
	}
	h.hall = hall.New(plantedClock(options))
	if err := h.hall.Begin(ctx); err != nil {
		return nil, errors.Join(err, h.close())
	}
	figures.Watch(h.hall)
	b := built()
	figures.Built(release, b.short(), b.date)
	if !c.several() { // a PostgreSQL is measured by whoever looks after it
		file := filepath.Join(folder, databaseName)
		figures.Measure(file, file+"-wal")
	}
	h.server, err = server.New(server.Options{
		Page: web.Site(), Hall: h.hall, Doorbell: h.bell, Key: key, Version: version(), Words: words, Chat: c.Chat, Proxies: c.Proxy, Hosts: c.Host, Log: h.log, Figures: figures, AllSee: c.OpenMetrics,
		Limits: server.Limits{Requests: c.Requests, Streams: c.Streams, Tables: c.Tables, Creates: c.Creates, Guests: c.Guests, Asks: c.Asks},
	})
	if err != nil { // what was built is wrong
		return nil, errors.Join(&final{err}, h.close())
	}
	if !c.several() {
		h.desk = openDesk(folder, server.NewDesk(h.hall, key), h.log)
	}
	h.log.Info("open", "data", folder, "version", version())
	return h, nil
}

// takeRing reads the keys that seal secrets. A node whose key file is from before the key
// was changed may not serve: what it sealed nobody else could open. A server that is alone
// does without what was sealed, as it does without codes that were made by a lost key.
func (h *house) takeRing(ctx context.Context, file string) (err error) {
	if h.ring, err = readRing(file); err != nil {
		return err
	}
	err = h.ring.Fits(ctx, h.store)
	if errors.Is(err, seal.ErrOld) {
		if !h.alone {
			return &final{err}
		}
		h.log.Warn("what was sealed with the key of this server cannot be opened", "err", err)
		return nil
	}
	return err
}

// ringEvery is how often a node looks whether it still has the key that seals.
const ringEvery = 5 * time.Second

// watchRing ends a node that stood still while the key was changed, or was just starting:
// what it seals nobody else could open. It waits until the context ends, or until that is
// so.
func (h *house) watchRing(ctx context.Context) error {
	if h.alone {
		return nil
	}
	tick := time.NewTicker(ringEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := h.ring.Fits(ctx, h.store); errors.Is(err, seal.ErrOld) { // what else goes wrong is told elsewhere
				return err
			}
		}
	}
}

// openFile opens the file of a data folder that no other server uses, and gives the
// key beside it.
func (h *house) openFile(folder string) (key []byte, err error) {
	if h.lock, err = lockFolder(folder, "--data"); err != nil {
		return nil, err
	}
	if err := unfinished(folder); err != nil {
		return nil, err
	}
	named := filepath.Join(folder, keyName)
	if key, _, err = serverKey(named); err != nil {
		return nil, err
	}
	if err := private("--data", keyName, named); err != nil {
		h.log.Warn("the key of this server is no secret", "err", err)
	}
	file, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		return nil, err
	}
	h.store, h.failed, h.news = file, file.Failed(), news.NewHub()
	return key, nil
}

// openNode opens the database and the carrier that other nodes share, and gives the
// key of the house.
func (h *house) openNode(ctx context.Context, parts partsFlags, folder string) ([]byte, error) {
	key, kept, err := parts.openStore(ctx, filepath.Join(folder, keyName))
	if err != nil {
		return nil, err
	}
	h.store, h.failed = planted(kept, parts.Store), kept.Failed()
	carries, err := parts.openNews(key, h.log)
	if err != nil {
		return nil, err
	}
	h.news = carries
	return key, nil
}

// whyEnded says why a server stops by itself.
func whyEnded(err error) string {
	switch {
	case errors.Is(err, store.ErrMoved):
		return "this house has moved, and the node stops"
	case errors.Is(err, store.ErrFilling):
		return "a copy is being put into the database, and the node stops: start it again when that is done"
	}
	return "the disk has failed, and the server stops: check the disk, then start it again"
}

// serve says where the server is, and has it answer until the context ends, the disk
// has failed (then the server must be started anew, from what is on the disk), or what
// it serves is served from elsewhere.
func (h *house) serve(ctx context.Context, url string, out io.Writer, answer func(context.Context) error) error {
	if _, err := fmt.Fprintf(out, "Copse is at %s\n", url); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var tending sync.WaitGroup
	tending.Go(func() { h.hall.Run(ctx) })
	var outdated error
	tending.Go(func() {
		if outdated = h.watchRing(ctx); outdated != nil {
			h.log.Error("the key of this house was changed, and the node stops", "err", outdated)
			stop()
		}
	})
	tending.Go(func() {
		select {
		case <-h.failed:
			h.log.Error(whyEnded(h.store.Failure()), "err", h.store.Failure())
			stop()
		case <-ctx.Done():
		}
	})
	err := answer(ctx)
	stop()
	h.hall.Stop()
	tending.Wait()
	h.log.Info("closed")
	return errors.Join(err, outdated, h.store.Failure())
}

// close closes everything that is open, the newest first.
func (h *house) close() error {
	var errs []error
	if h.desk != nil {
		errs = append(errs, h.desk.Close())
	}
	if h.hall != nil {
		h.hall.Stop()
	}
	if h.bell != nil {
		h.bell.Close()
	}
	if h.news != nil {
		h.news.Close()
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	if h.lock != nil {
		errs = append(errs, h.lock.Close())
	}
	return errors.Join(errs...)
}

// newLog makes a log on a writer.
func newLog(out io.Writer, form string, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	options := &slog.HandlerOptions{Level: level}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(out, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}

// dataFolder is the folder that was asked for, or the usual one. It makes the
// folder where there is none. The flag is what names it.
func dataFolder(asked, flag string) (string, error) {
	folder := asked
	if folder == "" {
		usual, err := usualFolder()
		if err != nil {
			return "", fmt.Errorf("this user has no folder to keep games in (%w): name one with --data", err)
		}
		folder = usual
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("no games can be kept in %s: %w; choose another folder with %s", folder, err, flag)
	}
	return folder, nil
}

// usualFolder is where a program keeps what belongs to its user.
func usualFolder() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "copse"), nil
	}
	if config, err := os.UserConfigDir(); err != nil || !strings.HasSuffix(filepath.ToSlash(config), "/.config") {
		return filepath.Join(config, "Copse"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "copse"), err
}

// checkHosts says what is wrong with a host that is to be served.
func checkHosts(hosts []string) error {
	for _, host := range hosts {
		if host == "" || strings.ContainsAny(host, "/*@ ") {
			return misused("%q is no host: give --host a name as it stands in the address of the page, such as copse.example.org", host)
		}
	}
	return nil
}

// errThere says that there is such a file already.
var errThere = errors.New("there is such a file already")

// writeWhole makes a file that only this user can read, whole and synced, or none: it
// writes it under another name and gives it its own at the end. Of several who make
// it at the same time one does, and the others are told errThere. It throws away what
// an earlier version has left of an interrupted try.
func writeWhole(file string, raw []byte, sync func(*os.File) error) (err error) {
	if err := os.Remove(file + ".part"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part") // for this user alone
	if err != nil {
		return err
	}
	part := f.Name()
	_, err = f.Write(raw)
	if err == nil {
		err = sync(f)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Link(part, file) // which replaces nothing
	}
	if errors.Is(err, os.ErrExist) {
		err = errThere
	}
	if err = errors.Join(err, os.Remove(part)); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // this system cannot sync the names in a folder
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(sync(folder), folder.Close())
}

// keyLength is how many bytes the key of a server has.
const keyLength = seal.KeyLength

// serverKey is the key of this server, which is made once, and whether that was just
// now. Nobody can guess what is derived from it.
func serverKey(file string) (key []byte, made bool, err error) {
	key, err = readKey(file)
	if !errors.Is(err, os.ErrNotExist) {
		return key, false, err
	}
	key = make([]byte, keyLength)
	_, _ = rand.Read(key) // it never fails
	err = writeWhole(file, []byte(hex.EncodeToString(key)+"\n"), (*os.File).Sync)
	if errors.Is(err, errThere) { // another node was quicker
		key, err = readKey(file)
		return key, false, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("the key of this server cannot be made: %w", err)
	}
	return key, true, nil
}

// readKey reads the key of a server, the one that never changes.
func readKey(file string) ([]byte, error) {
	ring, err := readRing(file)
	if err != nil {
		return nil, err
	}
	return ring.House(), nil
}
