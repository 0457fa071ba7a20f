package main

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/alecthomas/kong"

	"copse/server"
)

// proxies are the addresses of proxies whose word is taken on who asks. The flag may
// stand alone: then they are those of this machine.
type proxies []netip.Prefix

// IsBool says that the flag may stand alone.
func (*proxies) IsBool() bool { return true }

// Decode reads the flag, or the environment in its place.
func (p *proxies) Decode(ctx *kong.DecodeContext) (err error) {
	text := "loopback"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		text = fmt.Sprint(ctx.Scan.Pop().Value)
	}
	*p, err = readProxies(text)
	return err
}

// readProxies reads addresses and ranges with commas between them. The words for yes
// and no are those that the flag knew when it could be nothing else.
func readProxies(text string) (all proxies, err error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "false", "0", "no", "off":
		return nil, nil
	case "true", "1", "yes", "on":
		return server.Loopback(), nil
	}
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		if one == "loopback" {
			all = append(all, server.Loopback()...)
			continue
		}
		next, err := readRange(one)
		if err != nil {
			return nil, err
		}
		all = append(all, next)
	}
	return all, nil
}

// readRange reads an address, or a range of addresses.
func readRange(text string) (netip.Prefix, error) {
	one, err := netip.ParsePrefix(text)
	if err != nil {
		ip, err := netip.ParseAddr(text)
		if err != nil || ip.Zone() != "" {
			return one, fmt.Errorf("%q is no address: name the proxy by address or range, such as 10.0.0.5, 10.0.0.0/24 or fd00::/64, with commas between several; loopback is this machine", text)
		}
		one = netip.PrefixFrom(ip, ip.BitLen())
	}
	if one.Addr().Is4In6() && one.Bits() >= 96 {
		one = netip.PrefixFrom(one.Addr().Unmap(), one.Bits()-96)
	}
	switch {
	case one.Bits() == 0, one.Addr().Is4In6(): // the second has all of IPv4 in it
		return one, fmt.Errorf("%s is everybody, and then anybody can be whoever they like: name the proxy alone", text)
	case one.Bits() < widest(one.Addr()):
		return one, fmt.Errorf("%s is a large part of the internet, and anybody in it can be whoever they like: name the proxy, or its network", text)
	case one != one.Masked():
		return one, fmt.Errorf("%s is no range: say %s for all of it, or %s for that address alone", text, one.Masked(), one.Addr())
	}
	return one, nil
}

// widest is how many bits a range must have in common at least: those of the largest
// private network.
func widest(ip netip.Addr) int {
	if ip.Is4() {
		return 8 // 10.0.0.0/8
	}
	return 7 // fc00::/7
}
