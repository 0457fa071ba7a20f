package push

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// ErrAddress refuses an address that not everybody can reach: what is behind it is
// nobody's push service.
var ErrAddress = errors.New("push: the push service is at an address that is not public")

// special are ranges that are no address of somebody on the Internet, or lead into one
// that is not: shared and private networks, protocols, documents, and every way to write
// an address of version 4 in one of version 6.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// global is all of version 6 that belongs to somebody: what translates addresses
// (64:ff9b::/96, ::ffff:0:0/96), local networks and loopback lie outside.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) (all []netip.Prefix) {
	for _, text := range list {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Public tells whether an address is one that everybody can reach.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast()
}

// guard dials only what may be reached.
type guard struct {
	reach  func(netip.Addr) bool
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	dialer *net.Dialer
}

func newGuard(o Options) *guard {
	g := &guard{reach: o.Reach, lookup: o.Lookup}
	if g.reach == nil {
		g.reach = Public
	}
	if g.lookup == nil {
		g.lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
			for i, a := range list { // as it gives those of version 4
				list[i] = a.Unmap()
			}
			return list, err
		}
	}
	g.dialer = &net.Dialer{Timeout: dialTime, Control: g.control}
	return g
}

const dialTime = 5 * time.Second

// mostAddresses is how many addresses of a name are tried.
const mostAddresses = 4

// dial looks a host up, and dials the addresses that it has looked at. Where one of them
// is not public, none is dialled: no push service has such a one.
func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	list, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		if !g.reach(a) {
			return nil, fmt.Errorf("%w: %s", ErrAddress, host)
		}
	}
	err = fmt.Errorf("push: %s has no address", host)
	for _, a := range list[:min(len(list), mostAddresses)] {
		var conn net.Conn
		if conn, err = g.dialer.DialContext(ctx, network, net.JoinHostPort(a.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// control looks once more at what is really dialled.
func (g *guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.reach(to.Addr()) {
		return ErrAddress
	}
	return nil
}
