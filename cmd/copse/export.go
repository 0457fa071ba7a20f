package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"

	"copse/games"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

type exportCommand struct {
	Table string `arg:"" help:"The table: its name, the last part of its address."`
	folderFlag
	storeFlag
	URL   string `placeholder:"ADDRESS" help:"Ask a running server, such as http://localhost:8080, rather than a data folder."`
	Token string `env:"COPSE_TOKEN" help:"With --url, of a program that may see the table; open ones need none."`
	Out   string `placeholder:"FILE" type:"path" help:"Where to write it, to a file that does not exist yet; else it goes to standard output."`
}

// Run writes a finished game as lines of JSON, for anyone to keep and verify. It
// writes nothing that does not verify.
func (c exportCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var raw []byte
	var err error
	if c.URL != "" {
		raw, err = c.fetch(ctx)
	} else {
		raw, err = c.read(ctx)
	}
	if err != nil {
		return err
	}
	if _, err := table.Verify(table.NewShelf(games.All()...), raw); err != nil {
		return fmt.Errorf("table %s was not exported, for it does not verify: %w", c.Table, wrongInWords(err))
	}
	if c.Out == "" {
		_, err = os.Stdout.Write(raw)
		return err
	}
	f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already, and nothing is written over: choose another name", c.Out)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	return errors.Join(err, f.Close())
}

// open opens what keeps the table, to read it.
func (c exportCommand) open(ctx context.Context) (store.Store, error) {
	if c.Store != "" {
		return c.look(ctx)
	}
	file, err := c.database()
	if err != nil {
		return nil, err
	}
	return sqlite.Look(file)
}

// read makes the export from a data folder or a database, also while servers use it.
func (c exportCommand) read(ctx context.Context) (raw []byte, err error) {
	from, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	entries, err := from.Read(ctx, c.Table, 0)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrID) || err == nil && len(entries) == 0 {
		return nil, fmt.Errorf("no table is called %q here: its name is the last part of its address", c.Table)
	}
	if err != nil {
		return nil, err
	}
	log := make([][]byte, len(entries))
	for i, e := range entries {
		log[i] = e.Body
	}
	keep, err := kept(ctx, from, log)
	if err != nil {
		return nil, err
	}
	t, err := table.Open(table.NewShelf(games.All()...), keep, log)
	if err != nil {
		return nil, fmt.Errorf("the log of table %s: %w", c.Table, wrongInWords(err))
	}
	raw, err = t.Export()
	return raw, wrongInWords(err)
}

// kept is what belongs to a finished log: its secret, which the last entry tells,
// and its box where that is not the one that comes with the game.
func kept(ctx context.Context, from store.Boxes, log [][]byte) (keep table.Keep, err error) {
	first, err := table.ReadEntry(log[0])
	if err != nil || first.Settings == nil {
		return keep, fmt.Errorf("entry 0 of the log cannot be read: %w", wrongInWords(err))
	}
	last, err := table.ReadEntry(log[len(log)-1])
	if err != nil {
		return keep, fmt.Errorf("entry %d of the log cannot be read: %w", len(log)-1, wrongInWords(err))
	}
	keep.Secret = last.Secret
	keep.Box, err = from.Box(ctx, first.Settings.Box)
	if errors.Is(err, store.ErrNone) {
		return keep, nil
	}
	return keep, err
}

// longestExport is how many bytes are read of what a server sends.
const longestExport = 64 << 20

// fetch asks a server for the export.
func (c exportCommand) fetch(ctx context.Context) ([]byte, error) {
	at, err := url.JoinPath(c.URL, "api/tables", url.PathEscape(c.Table), "export")
	if err != nil || !strings.HasPrefix(at, "http") {
		return nil, misused("--url %s is no address: give one such as http://localhost:8080", c.URL)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, misused("--url %s is no address: %w", c.URL, err)
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("no server answers there: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, longestExport))
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("the server answers %d: %s", res.StatusCode, titleOf(raw))
	}
	return raw, err
}
