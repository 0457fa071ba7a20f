package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	client "github.com/nats-io/nats.go"

	"copse/news/nats"
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
		return errors.New("--store is for nodes that tell each other what happens: name the NATS servers too, with --news nats://…")
	case f.Store == "":
		return errors.New("--news is for nodes that share a database: name it too, with --store postgres://…")
	}
	if err := checkStore(f.Store); err != nil {
		return err
	}
	_, err := newsOptions(f.News)
	return err
}

// several tells whether the server is a node of a house of several.
func (f partsFlags) several() bool { return f.Store != "" }

// errOpenSecret refuses a secret where others can read it.
var errOpenSecret = errors.New("a secret in a flag or in the environment can be read by others on the machine")

// checkStore refuses an address of a database that gives its secret away, or that
// leads beyond this machine without TLS and credentials.
func checkStore(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New("--store is no address of a PostgreSQL: write it as postgres://copse@host/copse")
	}
	if _, open := u.User.Password(); open || u.Query().Has("password") || os.Getenv("PGPASSWORD") != "" {
		return fmt.Errorf("--store: %w: put the password into a file, host:port:database:user:password, that only this user can read, and add ?passfile=FILE to the address", errOpenSecret)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("--store: %w", err)
	}
	c := config.ConnConfig
	far := !nearby(c.Host)
	safe := c.TLSConfig != nil && !c.TLSConfig.InsecureSkipVerify
	known := c.Password != "" || c.TLSConfig != nil && len(c.TLSConfig.Certificates) > 0
	for _, other := range c.Fallbacks {
		far = far || !nearby(other.Host)
		safe = safe && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
	}
	switch {
	case far && !safe:
		return errors.New("--store leads to another machine and would be read on the way: add ?sslmode=verify-full to the address, with &sslrootcert=FILE where the certificate is of your own authority")
	case far && !known:
		return errors.New("--store leads to another machine, where anybody could come: give the role a password and add ?passfile=FILE to the address, or ?sslcert=FILE&sslkey=FILE")
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

// newsOptions reads the address of NATS servers. It refuses one that gives its
// secret away, or that leads beyond this machine without TLS and credentials: news
// carries what only the players may see.
func newsOptions(address string) (c carriers, err error) {
	list, query, _ := strings.Cut(address, "?")
	files, err := url.ParseQuery(query)
	if err != nil {
		return c, fmt.Errorf("--news: %w", err)
	}
	safe, far := true, false
	for one := range strings.SplitSeq(list, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
			return c, errors.New("--news is no address of NATS servers: write it as nats://host:4222, or tls://host:4222 beyond this machine, several with commas")
		}
		if u.User != nil {
			return c, fmt.Errorf("--news: %w: put it into a file and add ?passfile=FILE (user:password), ?nkey=FILE or ?creds=FILE to the address", errOpenSecret)
		}
		host := u.Hostname()
		far = far || !nearby(host)
		safe = safe && u.Scheme == "tls"
	}
	c.url = list
	known := false
	for name := range files {
		file := files.Get(name)
		switch name {
		case "creds":
			c.with, known = append(c.with, client.UserCredentials(file)), true
		case "nkey":
			o, err := client.NkeyOptionFromSeed(file)
			if err != nil {
				return c, fmt.Errorf("--news: nkey: %w", err)
			}
			c.with, known = append(c.with, o), true
		case "passfile":
			raw, err := os.ReadFile(file)
			if err != nil {
				return c, fmt.Errorf("--news: passfile: %w", err)
			}
			user, password, ok := bytes.Cut(bytes.TrimSpace(raw), []byte(":"))
			if !ok {
				return c, fmt.Errorf("--news: %s has no line user:password", file)
			}
			c.with, known = append(c.with, client.UserInfo(string(user), string(password))), true
		case "ca":
			c.with = append(c.with, client.RootCAs(file))
		case "cert":
			c.with, known = append(c.with, client.ClientCert(file, files.Get("key"))), true
		case "key":
			if !files.Has("cert") {
				return c, errors.New("--news: key is the key of a certificate: add &cert=FILE")
			}
		default:
			return c, fmt.Errorf("--news: nothing is called %q: creds, nkey, passfile, ca, cert and key are", name)
		}
	}
	switch {
	case far && !safe:
		return c, errors.New("--news leads to another machine and would be read on the way, with what only players may see: write it as tls://host:4222, with ?ca=FILE where the certificate is of your own authority")
	case far && !known:
		return c, errors.New("--news leads to another machine, where anybody could listen: add ?creds=FILE, ?nkey=FILE, ?passfile=FILE or ?cert=FILE&key=FILE to the address")
	}
	return c, nil
}

// openStore opens the database of a house.
func (f partsFlags) openStore(ctx context.Context, key []byte) (*postgres.Store, error) {
	return postgres.Open(ctx, f.Store, postgres.Options{Key: key})
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
