package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestTheKeyIsWrittenWholeOrNotAtAll: what an interrupted start has left does no
// harm, and a disk that does not sync makes no key.
func TestTheKeyIsWrittenWholeOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "key")
	if err := os.WriteFile(file+".part", []byte("half a k"), 0o644); err != nil {
		t.Fatal(err)
	}
	key, err := serverKey(file)
	if err != nil || len(key) != keyLength {
		t.Fatal(key, err)
	}
	again, err := serverKey(file)
	if err != nil || string(again) != string(key) {
		t.Errorf("it is another the second time: %v", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("there are %v, %v", list, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it is %v, %v", info.Mode(), err)
	}

	broken := errors.New("the disk does not sync")
	other := filepath.Join(t.TempDir(), "key")
	if err := writeWhole(other, []byte("key\n"), func(*os.File) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a sync that fails is %v", err)
	}
	if list, err := os.ReadDir(filepath.Dir(other)); err != nil || len(list) != 0 {
		t.Errorf("it leaves %v, %v", list, err)
	}
	var synced []string
	if err := writeWhole(other, []byte("key\n"), func(f *os.File) error {
		_, err := os.Stat(other)
		synced = append(synced, filepath.Base(f.Name()))
		if there := err == nil; there != (len(synced) == 2) {
			t.Errorf("at sync %d the file is there: %v", len(synced), there)
		}
		return nil
	}); err != nil || len(synced) != 2 || synced[0] != "key.part" {
		t.Errorf("synced is %v, %v", synced, err)
	}
}

// TestHostsAreNames: and an address says whether others can reach it.
func TestHostsAreNames(t *testing.T) {
	for host, good := range map[string]bool{"copse.example": true, "localhost": true, "::1": true, "https://copse.example": false, "": false, "*.example": false} {
		if err := checkHosts([]string{host}); (err == nil) != good {
			t.Errorf("%q: %v", host, err)
		}
	}
	for ip, want := range map[string]bool{"127.0.0.1": true, "::1": true, "0.0.0.0": false, "::": false, "192.168.1.2": false} {
		if got := forHere(&net.TCPAddr{IP: net.ParseIP(ip), Port: 1}); got != want {
			t.Errorf("%s: %v", ip, got)
		}
	}
}
