package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	natsd "github.com/nats-io/nats-server/v2/server"

	"copse/store/postgres/pgtest"
)

// authority signs certificates, as that of contrib/cluster does.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, key: key, cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Copse"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	raw, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	a.file = secretFile(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})))
	return a
}

// sign makes a certificate for an address and for names, and its key.
func (a *authority) sign(ip string, names ...string) (cert, key []byte) {
	a.t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	raw, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP(ip)}, DNSNames: names, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.cert, &own.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		a.t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// secretFile is a file that only its user can read.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// guarded is a PostgreSQL that takes nobody from outside without TLS and a password,
// at an address of its own.
func guarded(t *testing.T, a *authority, password string) (s *pgtest.Server, ip string) {
	t.Helper()
	ip = fmt.Sprintf("127.%d.%d.%d", 64+os.Getpid()>>14&63, os.Getpid()>>7&127+1, os.Getpid()&127+1)
	s, err := pgtest.Start(append([]string{"listen_addresses=" + ip}, pgtest.Quick...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	folder := filepath.Dir(s.Socket())
	cert, key := a.sign(ip)
	for name, text := range map[string]string{"data/tls.pem": string(cert), "data/tls.key": string(key), "data/pg_hba.conf": "local all all trust\nhostssl all copse 127.0.0.0/8 scram-sha-256\n"} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(folder)
		if err != nil {
			t.Fatal(err)
		}
		if who := info.Sys().(*syscall.Stat_t); os.Chown(file, int(who.Uid), int(who.Gid)) != nil {
			t.Fatal("the file cannot be given to the server")
		}
	}
	if err := s.Exec(s.URL("postgres"), "CREATE DATABASE copse", "ALTER ROLE copse PASSWORD '"+password+"'", "ALTER SYSTEM SET ssl_cert_file = 'tls.pem'", "ALTER SYSTEM SET ssl_key_file = 'tls.key'", "ALTER SYSTEM SET ssl = on"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(true); err != nil {
		t.Fatal(err)
	}
	return s, ip
}

// TestNodesOverTLS: two nodes reach their parts over TLS, with passwords from files,
// and play; nobody gets in who trusts another authority, has another password or
// speaks in the clear.
func TestNodesOverTLS(t *testing.T) {
	t.Parallel()
	const password, wrong = "an old oak", "a young ash"
	ours, other := newAuthority(t), newAuthority(t)
	db, ip := guarded(t, ours, password)
	cert, key := ours.sign("127.0.0.1")
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	bus, err := natsd.NewServer(&natsd.Options{
		Host: "127.0.0.1", Port: natsd.RANDOM_PORT, NoLog: true, NoSigs: true, Username: "copse", Password: password,
		TLS: true, TLSTimeout: 60, AuthTimeout: 60, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
	})
	if err != nil {
		t.Fatal(err)
	}
	bus.Start()
	t.Cleanup(bus.Shutdown)
	if !bus.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	store := func(a *authority, password string) string {
		return fmt.Sprintf("postgres://copse@%s:5432/copse?sslmode=verify-full&sslrootcert=%s&passfile=%s", ip, a.file, secretFile(t, "*:*:*:copse:"+password+"\n"))
	}
	news := func(a *authority, password string) string {
		return fmt.Sprintf("tls://%s?ca=%s&passfile=%s", bus.Addr(), a.file, secretFile(t, "copse:"+password+"\n"))
	}
	q := &quarter{t: t}
	node := func() *served {
		s := q.prepare("", "")
		s.args = []string{"--store", store(ours, password), "--news", news(ours, password), "--drain", "0s"}
		s.start()
		t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
		q.key = filepath.Join(s.data, keyName)
		return s
	}
	a, b := node(), node()
	people := []*guest{{served: a, over: make(chan struct{})}, {served: b, over: make(chan struct{})}}
	id := together(t, "bosk", people...)
	at := "/api/tables/" + id
	people[0].try("POST", at+"/start", "", "start")
	turns(t, at, people, 0, 4)
	if n := bus.NumClients(); n < 2 {
		t.Errorf("%d nodes are at NATS", n)
	}
	conn, err := pgx.Connect(t.Context(), db.URL("copse"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var clear, sealed int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FILTER (WHERE NOT ssl), count(*) FILTER (WHERE ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL").Scan(&clear, &sealed); err != nil {
		t.Fatal(err)
	}
	if clear != 0 || sealed < 2 {
		t.Errorf("%d connections are over TLS, and %d in the clear", sealed, clear)
	}
	runs(t, "nodes", "--store", store(ours, password), "--news", news(ours, password))
	fails(t, "certificate", "nodes", "--store", store(other, password), "--news", news(ours, password))
	fails(t, "password", "nodes", "--store", store(ours, wrong), "--news", news(ours, password))
	fails(t, "no encryption", "nodes", "--store", fmt.Sprintf("postgres://copse@%s:5432/copse?sslmode=disable&passfile=%s", ip, secretFile(t, "*:*:*:copse:"+password+"\n")), "--news", news(ours, password))
	fails(t, "certificate", "nodes", "--store", store(ours, password), "--news", news(other, password))
	fails(t, "Authorization", "nodes", "--store", store(ours, password), "--news", news(ours, wrong))
}
