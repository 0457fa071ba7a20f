package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestProxiesAreNamedByAddress: --proxy alone is this machine, as it was when it could
// be nothing else; what can never be right is told at once.
func TestProxiesAreNamedByAddress(t *testing.T) {
	t.Parallel()
	const here = "[127.0.0.0/8 ::1/128]"
	for text, want := range map[string]string{
		"true": here, "1": here, "yes": here, "On": here, "loopback": here,
		"false": "[]", "0": "[]", "no": "[]", "off": "[]", "": "[]",
		"10.0.0.5":                      "[10.0.0.5/32]",
		"10.0.0.0/24, fd00::/64":        "[10.0.0.0/24 fd00::/64]",
		"fd00::5,loopback":              "[fd00::5/128 127.0.0.0/8 ::1/128]",
		"::ffff:10.0.0.5":               "[10.0.0.5/32]",
		"::ffff:10.0.0.0/104":           "[10.0.0.0/8]",
		"10.0.0.5/8":                    "say 10.0.0.0/8 for all of it, or 10.0.0.5 for that address alone",
		"0.0.0.0/0":                     "is everybody",
		"10.0.0.5,::/0":                 "is everybody",
		"::ffff:0:0/96":                 "is everybody",
		"::ffff:0:0/90":                 "is everybody",
		"0.0.0.0/1":                     "is a large part of the internet",
		"8.0.0.0/7":                     "is a large part of the internet",
		"10.0.0.0/8,fc00::/7":           "[10.0.0.0/8 fc00::/7]",
		"2000::/3":                      "is a large part of the internet",
		"proxy.example":                 `"proxy.example" is no address: name the proxy by address or range`,
		"10.0.0.5,":                     `"" is no address`,
		"10.0.0.5:80":                   "is no address",
		"fe80::1%eth0":                  "is no address",
		"true,10.0.0.5":                 `"true" is no address`,
		"10.0.0.0/33":                   "is no address",
		"10.0.0.5 10.0.0.6":             "is no address",
		strings.Repeat("10.0.0.5,", 99): `"" is no address`,
	} {
		got, err := readProxies(text)
		if said := fmt.Sprint(got); err == nil && said != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("--proxy=%s: %s, %v", text, said, err)
		}
		if _, told, code := copse(t, "", "serve", "--addr", "8080", "--proxy="+text); code != exitUsage || err != nil != strings.Contains(told, "--proxy: ") {
			t.Errorf("--proxy=%s ends with %d: %s", text, code, told)
		}
	}
}

// TestAnOpenPortBypassesNoLimit: where a proxy is named, whoever comes past it is who
// they are.
func TestAnOpenPortBypassesNoLimit(t *testing.T) {
	t.Parallel()
	for flag, believed := range map[string]bool{"--proxy": true, "--proxy=loopback,192.0.2.7": true, "--proxy=192.0.2.7": false, "--proxy=false": false} {
		s := &served{t: t, addr: ownAddress(t), data: t.TempDir(), back: make(chan struct{}), args: []string{flag, "--guests=2"}}
		s.start()
		for n := range 12 {
			want := http.StatusCreated
			if !believed && n >= 10 { // a proxy of which nobody has told may have ten times as many
				want = http.StatusTooManyRequests
			}
			r, err := http.NewRequest("POST", "http://"+s.addr+"/api/me", strings.NewReader(`{"name":"Anna"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.%d.1", n))
			r.Header.Set("X-Forwarded-Proto", "https")
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = got.Body.Close()
			if got.StatusCode != want {
				t.Errorf("%s: guest %d is answered %d", flag, n, got.StatusCode)
			}
			if cookie := got.Header.Get("Set-Cookie"); cookie != "" && strings.Contains(cookie, "Secure") != believed {
				t.Errorf("%s: the cookie is %q", flag, cookie)
			}
		}
		s.stop()
	}
}
