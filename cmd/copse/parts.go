package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	client "github.com/nats-io/nats.go"

	"copse/news/nats"
	"copse/server/hall"
	"copse/store"
	"copse/store/postgres"
)

// partsFlags name the parts that many nodes share: the database that keeps, and the
// servers that carry news. Without them a server has one file and no other node.
type partsFlags struct {
	Store string `env:"COPSE_STORE" group:"nodes" placeholder:"postgres://…" help:"Keep everything in this PostgreSQL, which several nodes may share, rather than in a file of the data folder; needs --news. Secrets are in files: ?passfile=FILE, ?sslcert=FILE&sslkey=FILE."`
	News  string `env:"COPSE_NEWS" group:"nodes" placeholder:"nats://…" help:"The NATS servers that carry news between the nodes, several with commas. Secrets are in files: ?creds=FILE, ?nkey=FILE, ?passfile=FILE (user:password), ?cert=FILE&key=FILE; ?ca=FILE says whom to trust."`
}

// check says what is wrong with the flags.
func (f partsFlags) check() error {
	switch {
	case f.Store == "" && f.News == "":
		return nil
	case f.News == "":
		return misused("--store is for nodes that tell each other what happens: name the NATS servers too, with --news nats://…")
	case f.Store == "":
		return misused("--news is for nodes that share a database: name it too, with --store postgres://…")
	}
	if err := checkStore("--store", f.Store); err != nil {
		return err
	}
	_, err := newsOptions(f.News)
	return mistyped(err)
}

// storeFlag names the database of several nodes, for the commands that look after it.
type storeFlag struct {
	Store string `env:"COPSE_STORE" placeholder:"postgres://…" help:"The PostgreSQL of several nodes, in place of the file in a data folder."`
}

// look opens the database to read it.
func (f storeFlag) look(ctx context.Context) (*postgres.Store, error) {
	if err := checkStore("--store", f.Store); err != nil {
		return nil, err
	}
	return postgres.Look(ctx, f.Store)
}

// several tells whether the server is a node of a house of several.
func (f partsFlags) several() bool { return f.Store != "" }

// errOpenSecret refuses a secret where others can read it.
var errOpenSecret = errors.New("a secret in a flag or in the environment can be read by others on the machine")

// checkStore refuses an address of a database that gives its secret away, or that
// leads beyond this machine without TLS and credentials.
func checkStore(flag, address string) error { return mistyped(wrongStore(flag, address)) }

func wrongStore(flag, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New(flag + " is no address of a PostgreSQL: write it as postgres://copse@host/copse")
	}
	ask := u.Query()
	if _, open := u.User.Password(); open || ask.Has("password") || os.Getenv("PGPASSWORD") != "" {
		return fmt.Errorf("%s: %w: put the password into a file, host:port:database:user:password, that only this user can read, and add ?passfile=FILE to the address", flag, errOpenSecret)
	}
	if ask.Has("sslpassword") || os.Getenv("PGSSLPASSWORD") != "" {
		return fmt.Errorf("%s: %w: keep the key of the certificate without a password, in a file that only this user can read", flag, errOpenSecret)
	}
	for name, env := range map[string]string{"passfile": "PGPASSFILE", "sslkey": "PGSSLKEY"} {
		if err := private(flag, name, cmp.Or(ask.Get(name), os.Getenv(env))); err != nil {
			return err
		}
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	c := config.ConnConfig
	if err := unnamed(flag, ask, c); err != nil {
		return err
	}
	known := c.Password != "" || c.TLSConfig != nil && len(c.TLSConfig.Certificates) > 0
	for _, one := range append([]*pgconn.FallbackConfig{{Host: c.Host, TLSConfig: c.TLSConfig}}, c.Fallbacks...) {
		switch {
		case nearby(one.Host):
		case one.TLSConfig == nil || one.TLSConfig.InsecureSkipVerify:
			return errors.New(flag + " leads to another machine and would be read on the way: add ?sslmode=verify-full to the address, with &sslrootcert=FILE where the certificate is of your own authority")
		case !known:
			return errors.New(flag + " leads to another machine, where anybody could come: give the role a password and add ?passfile=FILE to the address, or ?sslcert=FILE&sslkey=FILE")
		}
	}
	return nil
}

// unnamed refuses files that others can read and whose secrets were read though nobody
// has named them: those that have their place in the folder of the user, and a service
// file with a password.
func unnamed(flag string, ask url.Values, c *pgx.ConnConfig) error {
	named := func(name, env string) string { return cmp.Or(ask.Get(name), os.Getenv(env)) }
	home, err := os.UserHomeDir()
	if err != nil || runtime.GOOS == "windows" { // then none was read, or nobody can tell who may
		return nil
	}
	files := map[string]string{}
	if c.Password != "" && named("passfile", "PGPASSFILE") == "" {
		files["passfile"] = filepath.Join(home, ".pgpass")
	}
	if c.TLSConfig != nil && len(c.TLSConfig.Certificates) > 0 && named("sslkey", "PGSSLKEY") == "" {
		files["sslkey"] = filepath.Join(home, ".postgresql", "postgresql.key")
	}
	if c.Password != "" && named("service", "PGSERVICE") != "" {
		file := cmp.Or(named("servicefile", "PGSERVICEFILE"), filepath.Join(home, ".pg_service.conf"))
		if raw, err := os.ReadFile(file); err == nil && bytes.Contains(raw, []byte("password")) {
			files["servicefile"] = file
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := private(flag, name, files[name]); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// private refuses a file with a secret that is not there or that others can read.
// No file is fine.
func private(flag, name, file string) error {
	if file == "" {
		return nil
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %s: %w", flag, name, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %s: %s is no file", flag, name, file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: %s: others can read %s: chmod 600 %s", flag, name, file, file)
	}
	return nil
}

// nearby tells whether a host is this machine: a loopback address, or the folder of
// a socket.
func nearby(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// carriers are how the servers that carry news are reached.
type carriers struct {
	url  string
	with []client.Option
}

// errNoCarriers says what an address of NATS servers looks like.
var errNoCarriers = errors.New("--news is no address of NATS servers: write it as nats://host:4222, or tls://host:4222 beyond this machine, several with commas")

// newsOptions reads the address of NATS servers. It refuses one that gives its
// secret away, or that leads beyond this machine without TLS and credentials: news
// carries what only the players may see.
func newsOptions(address string) (c carriers, err error) {
	list, query, _ := strings.Cut(address, "?")
	files, err := url.ParseQuery(query)
	if err != nil {
		return c, errNoCarriers
	}
	safe, far := true, false
	for one := range strings.SplitSeq(list, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" {
			return c, errNoCarriers
		}
		if u.User != nil {
			return c, fmt.Errorf("--news: %w: put it into a file and add ?passfile=FILE (user:password), ?nkey=FILE or ?creds=FILE to the address", errOpenSecret)
		}
		far = far || !nearby(u.Hostname())
		safe = safe && u.Scheme == "tls"
	}
	c.url = list
	known := false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		options, knows, err := fileOptions(name, files)
		if err != nil {
			return c, err
		}
		c.with, known = append(c.with, options...), known || knows
	}
	switch {
	case far && !safe:
		return c, errors.New("--news leads to another machine and would be read on the way, with what only players may see: write it as tls://host:4222, with ?ca=FILE where the certificate is of your own authority")
	case far && !known:
		return c, errors.New("--news leads to another machine, where anybody could listen: add ?creds=FILE, ?nkey=FILE, ?passfile=FILE or ?cert=FILE&key=FILE to the address")
	case safe:
		c.with = append(c.with, client.Secure())
	default: // servers that these name may be on other machines
		c.with = append(c.with, client.IgnoreDiscoveredServers())
	}
	return c, nil
}

// fileOptions are what a file says that the address of NATS servers names, and
// whether this node is known there by it.
func fileOptions(name string, files url.Values) (with []client.Option, known bool, err error) {
	file := files.Get(name)
	if file == "" {
		return nil, false, fmt.Errorf("--news: %s names no file", name)
	}
	switch name {
	case "creds", "nkey", "passfile", "key":
		if err := private("--news", name, file); err != nil {
			return nil, false, err
		}
	case "ca", "cert":
		if _, err := os.Stat(file); err != nil {
			return nil, false, fmt.Errorf("--news: %s: %w", name, err)
		}
	}
	switch name {
	case "creds":
		return []client.Option{client.UserCredentials(file)}, true, nil
	case "nkey":
		o, err := client.NkeyOptionFromSeed(file)
		if err != nil {
			return nil, false, fmt.Errorf("--news: %s holds no seed of an nkey", file)
		}
		return []client.Option{o}, true, nil
	case "passfile":
		if _, _, err := readPass(file); err != nil {
			return nil, false, err
		}
		return []client.Option{client.UserInfoHandler(func() (user, password string) {
			user, password, _ = readPass(file) // with every connection, so that it can be changed
			return user, password
		})}, true, nil
	case "ca":
		return []client.Option{client.RootCAs(file)}, false, nil
	case "cert":
		if !files.Has("key") {
			return nil, false, errors.New("--news: cert is a certificate whose key is missing: add &key=FILE")
		}
		return []client.Option{client.ClientCert(file, files.Get("key"))}, true, nil
	case "key":
		if !files.Has("cert") {
			return nil, false, errors.New("--news: key is the key of a certificate: add &cert=FILE")
		}
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("--news: nothing is called %q: creds, nkey, passfile, ca, cert and key are", name)
}

// readPass reads a file with a user and a password for NATS.
func readPass(file string) (user, password string, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", "", fmt.Errorf("--news: passfile: %w", err)
	}
	user, password, ok := strings.Cut(strings.TrimSpace(string(raw)), ":")
	if !ok || password == "" {
		return "", "", fmt.Errorf("--news: %s has no line user:password", file)
	}
	return user, password, nil
}

// openStore opens the database of a house, with the key in a file. All nodes have the
// same key. It is made with the first of them, and where the database belongs to a
// house already a node without the key is refused: no second key is made.
func (f partsFlags) openStore(ctx context.Context, file string) ([]byte, *postgres.Store, error) {
	key, err := readKey(file)
	made := false
	if errors.Is(err, os.ErrNotExist) {
		taken, err := postgres.Taken(ctx, f.Store)
		if err != nil {
			return nil, nil, err
		}
		if taken {
			return nil, nil, noKey(file)
		}
		if err := postgres.Prepare(ctx, f.Store); err != nil { // before that a key would be that of nothing
			return nil, nil, err
		}
		if key, made, err = serverKey(file); err != nil {
			return nil, nil, err
		}
	} else if err != nil {
		return nil, nil, &final{err}
	} else if err := private("--data", keyName, file); err != nil {
		return nil, nil, &final{err}
	}
	kept, err := postgres.Open(ctx, f.Store, postgres.Options{Key: key})
	if errors.Is(err, postgres.ErrHouse) && made { // another house has just been quicker
		return nil, nil, errors.Join(noKey(file), os.Remove(file))
	}
	return key, kept, err
}

// noKey refuses a node that lacks the key of its house.
func noKey(file string) error {
	return &final{fmt.Errorf("the database belongs to a house whose key is not here: copy the file %q of the data folder of a node that serves it to %s, readable by this user alone", keyName, file)}
}

// final is why a node may not serve, however long it waits.
type final struct{ err error }

func (f *final) Error() string { return f.err.Error() }
func (f *final) Unwrap() error { return f.err }

// isFinal tells whether no waiting helps: the node has another key, none or a page that
// was built wrongly, the database is that of a newer Copse or of another program, or
// the house has moved.
func isFinal(err error) bool {
	var own *final
	var newer *store.Newer
	return errors.As(err, &own) || errors.As(err, &newer) || errors.Is(err, postgres.ErrHouse) || errors.Is(err, postgres.ErrForeign) || errors.Is(err, store.ErrMoved)
}

// whyNot says in a sentence that anybody may read why a node does not serve yet.
func whyNot(err error) string {
	switch {
	case errors.Is(err, store.ErrAway): // which is why, also where it was asked for the time
		return "The database cannot be reached: see the log of the server."
	case errors.Is(err, hall.ErrTime):
		return "The database does not say what time it is: see the log of the server."
	case errors.Is(err, store.ErrFilling):
		return "A copy into the database is not finished: see the log of the server."
	case errors.Is(err, store.ErrCopied):
		return "The database is being copied: see the log of the server."
	case errors.Is(err, postgres.ErrRole):
		return "The database does not let the role of this node make what it needs: see the log of the server."
	}
	return "This node may not serve yet: see the log of the server."
}

// openNews connects to the servers that carry news.
func (f partsFlags) openNews(key []byte, log *slog.Logger) (*nats.Carrier, error) {
	c, err := newsOptions(f.News)
	if err != nil {
		return nil, err
	}
	return nats.Open(nats.Options{URL: c.url, With: c.with, House: houseName(key), Log: log})
}

// houseName tells houses apart that share NATS servers. It gives nothing of the key
// away.
func houseName(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("copse: the news of this house"))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
