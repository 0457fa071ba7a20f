// Flaky is a bad line to a Copse server, for tests: answers come late, half, or
// not at all though the request was done; streams break off in the middle of an
// event; and now and then nobody is reached for seconds. What happens to the nth
// request of a client follows from the seed, whatever the time.
//
// It is calm until it reads a line "rough" on its standard input, and again at a line
// "calm". After a line "silent" connections stay open and nothing comes through them.
// When its input ends it prints what it has done, as JSON, and ends.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
)

func main() {
	to := flag.String("to", "", "the address of the server, as a URL")
	seed := flag.Uint64("seed", 1, "what happens")
	flag.Parse()
	if err := run(*to, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "flaky:", err)
		os.Exit(1)
	}
}

func run(to string, seed uint64) error {
	server, err := url.Parse(to)
	if err != nil || server.Host == "" {
		return fmt.Errorf("%q is no address of a server: say --to http://localhost:8080", to)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	l := newLine(server, seed)
	go func() { _ = http.Serve(listener, l) }() //nolint:gosec // a test on this machine
	fmt.Printf("http://%s\n", listener.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		l.rough.Store(in.Text() == "rough")
		l.silent.Store(in.Text() == "silent")
	}
	return json.NewEncoder(os.Stdout).Encode(l.done())
}
