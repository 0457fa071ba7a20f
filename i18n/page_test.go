package i18n_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"copse/i18n"
)

// pageKey finds a key of the page in its source. The page builds none of its keys
// from pieces, so that all of them can be found.
var pageKey = regexp.MustCompile(`['"\x60](page\.[a-z0-9.-]*[a-z0-9])['"\x60]`)

// pagePhrases are the keys that the page says, with the arguments of the English
// message: the other languages are held to it.
func pagePhrases() map[string][]string {
	all := map[string][]string{}
	english := i18n.Locales()[0]
	read := func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(file, ".test.ts") || filepath.Ext(file) != ".ts" && filepath.Ext(file) != ".svelte" {
			return err
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, found := range pageKey.FindAllStringSubmatch(string(raw), -1) {
			all[found[1]] = arguments(english.Slots(found[1]))
		}
		return nil
	}
	if err := errors.Join(filepath.WalkDir("../web/src", read), filepath.WalkDir("../web/handbook", read)); err != nil {
		panic(err)
	}
	return all
}

func TestThePageIsRead(t *testing.T) {
	if n := len(pagePhrases()); n < 50 {
		t.Errorf("only %d keys were found in the page: the search is broken", n)
	}
}
