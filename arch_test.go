package copse

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// arrow says what the packages under a folder may import of Copse, and why
// no more.
type arrow struct {
	from string   // folder; a trailing /* stands for each folder below it
	to   []string // folders of Copse, likewise
	std  bool     // nothing from outside but the standard library
	why  string
}

// arrows hold Copse up. A package that no arrow names may import nothing
// of it, so a new package needs a line here.
func arrows() []arrow {
	return []arrow{
		{from: "game", std: true, why: "the contract is pure: it knows no game, no bot, no screen and no clock"},
		{from: "game/gametest", to: []string{"game"}, std: true, why: "the laws know the contract and no game but their own tiny one"},
		{from: "game/sums", std: true, why: "what every machine computes alike needs nothing but the standard library"},
		{from: "game/net", to: []string{"game"}, std: true, why: "a net computes with whole numbers: it knows neither what they count nor who asks"},
		{from: "games/*", to: []string{"game", "game/sums"}, std: true, why: "rules are a pure library: a game knows the contract and no other game, and runs in the browser as it stands"},
		{from: "games", to: []string{"game", "games/*", "bot"}, std: true, why: "the list of games knows each of them and those who play it, and who asks for the list knows none"},
		{from: "i18n", std: true, why: "words know keys and arguments, not who says them"},
		{from: "bot", to: []string{"game", "game/sums", "game/net", "bot/veteran"}, std: true, why: "players are generic and know no game: the list of games gives them to each"},
		{from: "bot/veteran", to: []string{"game", "game/sums"}, std: true, why: "the veteran is frozen: it shares nothing with players that are tuned, and knows no game"},
		{from: "nets", to: []string{"bot"}, std: true, why: "nets are files: who wants players to judge by them says so"},
		{from: "arena", to: []string{"game", "bot"}, std: true, why: "the arena is generic: cmd tells it which games there are"},
		{from: "engine", to: []string{"game", "bot"}, std: true, why: "the engine is generic: cmd tells it which games there are"},
		{from: "rating", to: []string{"game/sums"}, std: true, why: "ratings are computed from numbers alone, so that anybody can compute them again: they know no table, no store and no person"},
		{from: "table", to: []string{"game"}, std: true, why: "a table is pure: it knows the contract, no game, no store, no network and no clock; games come on a shelf"},
		{from: "store", std: true, why: "the store keeps bytes and numbers: it knows neither tables nor games, nor what keeps them"},
		{from: "store/kept", to: []string{"store"}, std: true, why: "what adapters keep alike knows none of them"},
		{from: "store/sqlite", to: []string{"store", "store/kept"}, why: "an adapter knows the promises and its database, and nothing of what it keeps"},
		{from: "store/sqlite/disktest", why: "a disk that fails knows SQLite's way to it, and nothing of what is kept"},
		{from: "store/postgres", to: []string{"store", "store/kept"}, why: "an adapter knows the promises and its database, and nothing of what it keeps"},
		{from: "store/postgres/pgtest", why: "a server for tests is PostgreSQL and nothing of Copse"},
		{from: "store/move", to: []string{"store"}, std: true, why: "to move a house is to read one store out and fill another: it knows neither"},
		{from: "store/storetest", to: []string{"store"}, why: "the promises are the same for every adapter: the suite knows none"},
		{from: "store/storetest/played", to: []string{"game", "bot", "games", "table", "store"}, std: true, why: "to weigh what a store keeps, whole games are played; no store knows of it"},
		{from: "seal", to: []string{"store"}, std: true, why: "what seals secrets knows keys and papers, and not what they are about"},
		{from: "push", std: true, why: "who tells browsers something knows their services, and not what it is about"},
		{from: "peace", to: []string{"store"}, std: true, why: "reports and what is done about them are papers: they know no table, no screen and no network but by its hash"},
		{from: "push/pushtest/reader", std: true, why: "what reads as a browser does knows the standard, and nothing of who writes"},
		{from: "push/pushtest", to: []string{"push", "push/pushtest/reader"}, std: true, why: "a push service for tests knows what is sent to it, and no more"},
		{from: "doorbell", to: []string{"store", "seal", "push"}, std: true, why: "who rings at somebody's browsers knows where they are, and neither what it is about nor when: the hall says when, the server in which words"},
		{from: "news", std: true, why: "news carries numbers and bytes: it knows neither tables nor games"},
		{from: "news/nats", to: []string{"news"}, why: "a carrier between nodes knows the promises and its network, and nothing of what it carries"},
		{from: "news/newstest", to: []string{"news"}, std: true, why: "the promises are the same for every carrier: the suite knows none but through them"},
		{from: "terminal", to: []string{"game", "games/*", "i18n"}, why: "a screen draws a game's views and asks the rules through the contract; nothing asks a screen"},
		{from: "web", std: true, why: "the page as it was built is files: what is in them asks the engine, not this package"},
		{from: "web/browser/flaky", std: true, why: "a bad line carries bytes between a browser and a server, and knows neither"},
		{from: "server/hall", to: []string{"game", "bot", "table", "store", "news", "rating", "peace"}, std: true, why: "the hall lets things happen at tables: it knows no game, no SQL and no HTTP"},
		{from: "server/hall/halltest", std: true, why: "what draws the same every time is for tests: it knows no hall, and no arrow leads to it"},
		{from: "server", to: []string{"game", "bot", "table", "store", "news", "i18n", "rating", "peace", "doorbell", "push", "server/hall"}, why: "the server answers for the hall: games come on a shelf, the store and the page are handed in"},
		{from: "load", to: []string{"game"}, std: true, why: "whoever puts a server under load is a client: it knows the API and the rules, and nothing of the server"},
		{from: "cmd/wasm", to: []string{"engine", "game", "games"}, std: true, why: "the browser's engine is the engine and the list of games: whatever else it imports, every visitor downloads"},
		{from: "cmd/print", to: []string{"game", "games", "engine", "table", "server"}, std: true, why: "what the page is built with is what an engine says, and which keys are declared where"},
		{from: "cmd/copse", to: []string{"game", "bot", "games", "games/*", "table", "store", "store/*", "seal", "push", "doorbell", "peace", "news", "news/*", "server", "server/hall", "rating", "load", "web", "i18n", "arena", "engine", "nets", "terminal"}, why: "the binary wires everything; nothing imports it"},
	}
}

// TestArrows fails when a package imports what it may not. Tests may import
// more than what they test: they are not looked at.
func TestArrows(t *testing.T) {
	files := 0
	walk(t, func(file string, imports []string) {
		files++
		for _, imp := range imports {
			if why := forbidden(path.Dir(file), imp); why != "" {
				t.Errorf("%s imports %s: %s", file, imp, why)
			}
		}
	})
	if files < 20 {
		t.Errorf("only %d files were looked at: the walk is broken", files)
	}
}

// TestArrowsCanFail proves the test above by imports that must not be.
func TestArrowsCanFail(t *testing.T) {
	for _, wrong := range [][2]string{
		{"game", "copse/games/bosk"},
		{"game", "github.com/alecthomas/kong"},
		{"games/bosk", "copse/games/grandbois"},
		{"games/bosk", "copse/i18n"},
		{"games/bosk", "copse/games"},
		{"games/bosk", "github.com/alecthomas/kong"},
		{"engine", "copse/games/bosk"},
		{"engine", "copse/terminal"},
		{"table", "copse/games/bosk"},
		{"table", "copse/server"},
		{"table", "copse/bot"},
		{"store", "copse/table"},
		{"store", "modernc.org/sqlite"},
		{"store/sqlite", "copse/table"},
		{"store/storetest", "copse/store/sqlite"},
		{"store/postgres", "copse/store/sqlite"},
		{"store/kept", "github.com/jackc/pgx/v5"},
		{"news", "copse/store"},
		{"newstest", "copse/news"},
		{"game", "copse/store"},
		{"games/bosk", "copse/news"},
		{"cmd/wasm", "copse/store/sqlite"},
		{"arena", "copse/games/bosk"},
		{"bot", "copse/games/bosk"},
		{"bot", "copse/engine"},
		{"bot/veteran", "copse/bot"},
		{"bot/veteran", "copse/game/net"},
		{"games/bosk", "copse/bot"},
		{"server", "copse/games/bosk"},
		{"server", "copse/web"},
		{"cmd/wasm", "copse/i18n"},
		{"cmd/copse", "copse/server/hall/halltest"},
		{"server", "copse/server/hall/halltest"},
		{"newpackage", "copse/game"},
		{"terminal", "copse/cmd/copse"},
	} {
		if forbidden(wrong[0], wrong[1]) == "" {
			t.Errorf("%s may import %s, and must not", wrong[0], wrong[1])
		}
	}
	for _, right := range [][2]string{
		{"games/bosk", "copse/game"}, {"games/bosk", "math/bits"}, {"cmd/copse", "copse/games/bosk"}, {"cmd/copse", "github.com/alecthomas/kong"},
	} {
		if why := forbidden(right[0], right[1]); why != "" {
			t.Errorf("%s may not import %s (%s), and should", right[0], right[1], why)
		}
	}
}

// forbidden says why a package may not import another, or nothing.
func forbidden(from, imp string) string {
	folder, ours := strings.CutPrefix(imp, "copse/")
	outside := !ours && strings.Contains(strings.Split(imp, "/")[0], ".")
	for _, a := range arrows() {
		if !covers(a.from, from) {
			continue
		}
		if !ours && (!outside || !a.std) {
			return ""
		}
		for _, to := range a.to {
			if ours && covers(to, folder) {
				return ""
			}
		}
		return a.why
	}
	if ours {
		return "no arrow in arch_test.go begins at " + from
	}
	return ""
}

func covers(pattern, folder string) bool {
	ok, err := path.Match(pattern, folder)
	return err == nil && ok
}

// walk reads the imports of every Go file of the module but tests.
func walk(t *testing.T, visit func(file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "tools") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, name)
		}
		visit(filepath.ToSlash(file), imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
