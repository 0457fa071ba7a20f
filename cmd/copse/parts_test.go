package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"copse/server/hall"
	"copse/store"
)

// secret is what no message may say.
const secret = "s3cr3t-w0rd"

// secrets are files as the addresses of a house name them.
type secrets struct{ folder string }

func (s secrets) write(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(s.folder, name)
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// certificate writes a certificate of its own authority, and its key.
func (s secrets) certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Unix(1<<33, 0), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert = s.write(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), 0o644)
	return cert, s.write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})), 0o600)
}

// unset takes what the machine of the tests may say of a PostgreSQL out of the
// environment.
func unset(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PGPASSWORD", "PGPASSFILE", "PGSSLKEY", "PGSSLCERT", "PGSSLPASSWORD", "PGSSLMODE", "PGHOST", "PGSERVICE", "PGSSLROOTCERT"} {
		t.Setenv(name, "")
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", t.TempDir())
}

// judged compares what is said of addresses with what must be said: nothing of a good
// one, and of no one the secret.
func judged(t *testing.T, check func(string) error, list map[string]string) {
	t.Helper()
	for address, want := range list {
		err := check(address)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s is refused: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s is answered %v, want %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("of %s the secret is told: %v", address, err)
		}
	}
}

// TestWhereADatabaseMayBe: on this machine anywhere; beyond it only where nobody reads
// along and where the node is known. Secrets are in files that nobody else can read.
func TestWhereADatabaseMayBe(t *testing.T) {
	unset(t)
	s := secrets{t.TempDir()}
	pass := s.write(t, "pass", "*:*:*:copse:"+secret+"\n", 0o600)
	other := s.write(t, "other", "elsewhere:*:*:copse:"+secret+"\n", 0o600)
	open := s.write(t, "open", "*:*:*:copse:"+secret+"\n", 0o640)
	if err := os.Chmod(open, 0o640); err != nil {
		t.Fatal(err)
	}
	cert, key := s.certificate(t)
	store := func(address string) error { return checkStore("--store", address) }
	const (
		read    = "would be read on the way: add ?sslmode=verify-full"
		anybody = "anybody could come"
		told    = "can be read by others on the machine"
		none    = "is no address of a PostgreSQL"
	)
	judged(t, store, map[string]string{
		"postgres://copse@localhost/copse":                                                         "",
		"postgresql://copse@127.0.0.1:5433/copse":                                                  "",
		"postgres://copse@[::1]:5433/copse":                                                        "",
		"postgres://copse@/copse?host=/var/run/postgresql":                                         "",
		"postgres://copse@localhost:5432,127.0.0.1:5433/copse":                                     "",
		"postgres://copse@localhost/copse?passfile=" + pass:                                        "",
		"postgres://copse@db.example/copse?sslmode=verify-full&passfile=" + pass:                   "",
		"postgres://copse@db.example:1,dc.example:2/copse?sslmode=verify-full&passfile=" + pass:    "",
		"postgres://copse@db.example,localhost/copse?sslmode=verify-full&passfile=" + pass:         "",
		"postgres://copse@db.example/copse?sslmode=verify-full&sslcert=" + cert + "&sslkey=" + key: "",

		"postgres://copse@db.example/copse":                                                        read,
		"postgres://copse@db.example/copse?passfile=" + pass:                                       read,
		"postgres://copse@db.example/copse?sslmode=disable&passfile=" + pass:                       read,
		"postgres://copse@db.example/copse?sslmode=prefer&passfile=" + pass:                        read,
		"postgres://copse@db.example/copse?sslmode=require&passfile=" + pass:                       read,
		"postgres://copse@db.example/copse?sslmode=verify-ca&passfile=" + pass:                     read,
		"postgres://copse@192.0.2.1/copse?passfile=" + pass:                                        read,
		"postgres://copse@localhost,db.example/copse?passfile=" + pass:                             read,
		"postgres://copse@/copse?host=db.example&passfile=" + pass:                                 read,
		"postgres://copse@localhost.example/copse?passfile=" + pass:                                read,
		"postgres://copse@db.example/copse?sslmode=verify-full":                                    anybody,
		"postgres://copse@db.example/copse?sslmode=verify-full&passfile=" + other:                  anybody,
		"postgres://copse@db.example/copse?sslmode=verify-full&passfile=" + open:                   "others can read " + open + ": chmod 600",
		"postgres://copse@localhost/copse?passfile=" + open:                                        "others can read",
		"postgres://copse@localhost/copse?passfile=" + s.folder:                                    "is no file",
		"postgres://copse@localhost/copse?passfile=" + filepath.Join(s.folder, "none"):             "no such file",
		"postgres://copse@localhost/copse?sslmode=verify-full&sslcert=" + cert + "&sslkey=" + cert: "others can read",

		"postgres://copse:" + secret + "@localhost/copse":                        told,
		"postgres://copse:" + secret + "@db.example/copse?sslmode=verify-full":   told,
		"postgres://copse@localhost/copse?password=" + secret:                    told,
		"postgres://copse@localhost/copse?sslpassword=" + secret:                 told,
		"postgres://copse:" + secret + "@local host/copse":                       none,
		"mysql://copse:" + secret + "@localhost/copse":                           none,
		"host=localhost password=" + secret:                                      none,
		"postgres://copse@localhost/copse?sslmode=" + url.QueryEscape("perhaps"): "sslmode is invalid",
		"/var/lib/copse": none,
	})
	for name, want := range map[string]string{"PGPASSWORD": told, "PGSSLPASSWORD": told} {
		t.Setenv(name, secret)
		judged(t, store, map[string]string{"postgres://copse@localhost/copse": want})
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PGPASSFILE", open)
	judged(t, store, map[string]string{"postgres://copse@localhost/copse": "others can read"})
	t.Setenv("PGPASSFILE", pass)
	t.Setenv("PGSSLMODE", "verify-full")
	judged(t, store, map[string]string{"postgres://copse@db.example/copse": ""})
	t.Setenv("PGHOST", "db.example")
	t.Setenv("PGSSLMODE", "prefer")
	judged(t, store, map[string]string{"postgres://copse@/copse": read})
}

// TestSecretsThatNobodyHasNamed: a file that is read because of its place is refused
// where others can read it, and none that is not read.
func TestSecretsThatNobodyHasNamed(t *testing.T) {
	unset(t)
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	here := secrets{home}
	pass := here.write(t, ".pgpass", "localhost:5432:copse:copse:"+secret+"\n", 0o644)
	judged(t, func(address string) error { return checkStore("--store", address) }, map[string]string{
		"postgres://copse@localhost/copse": "others can read " + pass + ": chmod 600",
		"postgres://other@localhost/copse": "",
		"postgres://copse@localhost/copse?passfile=" + here.write(t, "own", "*:*:*:*:"+secret+"\n", 0o600): "",
	})
	service := here.write(t, ".pg_service.conf", "[oak]\nhost=localhost\nuser=other\npassword="+secret+"\n[elm]\nhost=localhost\nuser=other\n", 0o644)
	if err := os.Chmod(pass, 0o600); err != nil {
		t.Fatal(err)
	}
	judged(t, func(address string) error { return checkStore("--store", address) }, map[string]string{
		"postgres://copse@localhost/copse": "",
		"postgres:///copse?service=oak":    "others can read " + service + ": chmod 600",
		"postgres:///copse?service=elm":    "",
	})
}

// TestWhereNewsMayGo: the same for the servers that carry news.
func TestWhereNewsMayGo(t *testing.T) {
	unset(t)
	s := secrets{t.TempDir()}
	pass := s.write(t, "pass", "copse:"+secret+"\n", 0o600)
	user := s.write(t, "user", "copse\n", 0o600)
	empty := s.write(t, "empty", "copse:\n", 0o600)
	creds := s.write(t, "creds", secret, 0o600)
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	nkey := s.write(t, "nkey", string(seed), 0o600)
	noKey := s.write(t, "nokey", secret, 0o600)
	cert, key := s.certificate(t)
	open := s.write(t, "open", "copse:"+secret, 0o600)
	if err := os.Chmod(open, 0o604); err != nil {
		t.Fatal(err)
	}
	const (
		read    = "would be read on the way"
		anybody = "anybody could listen"
		none    = "is no address of NATS servers"
	)
	check := func(address string) error {
		_, err := newsOptions(address)
		return err
	}
	judged(t, check, map[string]string{
		"nats://localhost:4222":                                    "",
		"nats://127.0.0.1:4222,nats://[::1]:4223":                  "",
		"tls://localhost:4222":                                     "",
		"nats://localhost:4222?passfile=" + pass:                   "",
		"nats://localhost:4222?nkey=" + nkey:                       "",
		"tls://news.example:4222?creds=" + creds:                   "",
		"tls://news.example:4222?ca=" + cert + "&passfile=" + pass: "",
		"tls://news.example?cert=" + cert + "&key=" + key:          "",
		"tls://a.example,tls://b.example?nkey=" + nkey:             "",

		"nats://news.example:4222":                                 read,
		"nats://news.example:4222?passfile=" + pass:                read,
		"nats://localhost,nats://news.example?passfile=" + pass:    read,
		"tls://a.example,nats://b.example?passfile=" + pass:        read,
		"tls://a.example,nats://localhost?passfile=" + pass:        read,
		"tls://news.example:4222":                                  anybody,
		"tls://news.example:4222?ca=" + cert:                       anybody,
		"tls://news.example?key=" + key:                            "add &cert=FILE",
		"tls://news.example?cert=" + cert:                          "add &key=FILE",
		"nats://localhost?passfile=" + open:                        "others can read " + open,
		"nats://localhost?passfile=" + user:                        "has no line user:password",
		"nats://localhost?passfile=" + empty:                       "has no line user:password",
		"nats://localhost?nkey=" + noKey:                           "holds no seed",
		"nats://localhost?creds=" + filepath.Join(s.folder, "not"): "no such file",
		"nats://localhost?ca=" + filepath.Join(s.folder, "not"):    "no such file",
		"nats://localhost?creds=":                                  "names no file",
		"nats://localhost?password=" + secret:                      `nothing is called "password"`,
		"nats://copse:" + secret + "@localhost:4222":               "can be read by others",
		"nats://" + secret + "@localhost:4222":                     "can be read by others",
		"nats://localhost:4222,":                                   none,
		"http://localhost:4222":                                    none,
		"localhost:4222":                                           none,
		"nats://":                                                  none,
		"nats://:4222":                                             none,
		"nats://copse:" + secret + "@local host":                   none,
		"nats://localhost?%zz=" + secret:                           none,
	})
	for address, want := range map[string][2]bool{"tls://localhost": {true, false}, "nats://localhost": {false, true}, "tls://localhost,nats://localhost": {false, true}} {
		c, err := newsOptions(address)
		if err != nil {
			t.Fatal(err)
		}
		var o client.Options
		for _, set := range c.with {
			if err := set(&o); err != nil {
				t.Fatal(err)
			}
		}
		if got := [2]bool{o.Secure, o.IgnoreDiscoveredServers}; got != want {
			t.Errorf("%s: by TLS alone, and nowhere else: %v, want %v", address, got, want)
		}
	}
}

// TestPartsComeTogether: a database is for nodes that tell each other what happens.
func TestPartsComeTogether(t *testing.T) {
	unset(t)
	const base, news = "postgres://copse@localhost/copse", "nats://localhost"
	for _, c := range []struct {
		partsFlags
		want string
	}{
		{partsFlags{}, ""},
		{partsFlags{base, news}, ""},
		{partsFlags{base, ""}, "name the NATS servers too"},
		{partsFlags{"", news}, "name it too, with --store"},
		{partsFlags{base, "http://x"}, "--news is no address"},
		{partsFlags{"http://x", news}, "--store is no address"},
	} {
		err := c.check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.partsFlags, err)
		}
	}
}

// TestADatabaseThatIsAwayIsWhy: also where it was asked for the time.
func TestADatabaseThatIsAwayIsWhy(t *testing.T) {
	if why := whyNot(fmt.Errorf("%w: %w", hall.ErrTime, store.ErrAway)); !strings.HasPrefix(why, "The database cannot be reached") {
		t.Error(why)
	}
	if why := whyNot(hall.ErrTime); !strings.HasPrefix(why, "The database does not say what time it is") {
		t.Error(why)
	}
}

// TestAPasswordIsReadWithEveryConnection: it can be changed while a node serves.
func TestAPasswordIsReadWithEveryConnection(t *testing.T) {
	s := secrets{t.TempDir()}
	file := s.write(t, "nats.pass", "copse:one", 0o600)
	c, err := newsOptions("nats://localhost:4222?passfile=" + file)
	if err != nil {
		t.Fatal(err)
	}
	o := client.GetDefaultOptions()
	for _, with := range c.with {
		if err := with(&o); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range []string{"one", "two"} {
		s.write(t, "nats.pass", "copse:"+word, 0o600)
		if user, password := o.UserInfo(); user != "copse" || password != word {
			t.Errorf("%s:%s is sent, and copse:%s is in the file", user, password, word)
		}
	}
}
