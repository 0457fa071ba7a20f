package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	key, made, err := serverKey(file)
	if err != nil || !made || len(key) != keyLength {
		t.Fatal(key, made, err)
	}
	again, made, err := serverKey(file)
	if err != nil || made || string(again) != string(key) {
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
	}); err != nil || len(synced) != 2 || !strings.HasSuffix(synced[0], ".part") {
		t.Errorf("synced is %v, %v", synced, err)
	}
}

// TestOfManyWhoMakeAKeyOneDoes: nodes that start at the same time over one folder have
// one key, and nothing else is left there.
func TestOfManyWhoMakeAKeyOneDoes(t *testing.T) {
	for range 20 {
		file := filepath.Join(t.TempDir(), "key")
		const many = 8
		var keys [many]string
		var makers [many]bool
		var all sync.WaitGroup
		begin := make(chan struct{})
		for i := range many {
			all.Go(func() {
				<-begin
				key, made, err := serverKey(file)
				if err != nil {
					t.Error(err)
				}
				keys[i], makers[i] = string(key), made
			})
		}
		close(begin)
		all.Wait()
		count := 0
		for i := range many {
			if keys[i] != keys[0] || len(keys[i]) != keyLength {
				t.Fatalf("there are several keys, or none")
			}
			if makers[i] {
				count++
			}
		}
		if list, err := os.ReadDir(filepath.Dir(file)); err != nil || len(list) != 1 || count != 1 {
			t.Fatalf("%d have made it, and there are %v, %v", count, list, err)
		}
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
