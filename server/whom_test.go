package server

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestWhoIsMeantNamesEveryWay: who names nobody is told every way to name somebody, in
// each language.
func TestWhoIsMeantNamesEveryWay(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "fr", "it"} {
		raw, err := os.ReadFile("../i18n/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(string(raw), `"server.whom": `)
		line, _, _ = strings.Cut(line, "\n")
		body := reflect.TypeFor[whomBody]()
		for i := range body.NumField() {
			field, _, _ := strings.Cut(body.Field(i).Tag.Get("json"), ",")
			quoted := []string{"“" + field + "”", "«" + field + "»", "«\u00a0" + field + "\u00a0»"}
			if !strings.Contains(line, quoted[0]) && !strings.Contains(line, quoted[1]) && !strings.Contains(line, quoted[2]) {
				t.Errorf("%s does not name %s: %s", language, field, line)
			}
		}
	}
}
