package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
)

// profileOf is a profile as it is told.
type profileOf struct {
	Name, Since string
	You, Games  bool
	Results     *[]struct {
		Game, Pace                             string
		Seats, Played, Won, Shared, Gone, None int
		Closed, Alone                          bool
		Ranks                                  []int
	}
	Ratings *[]struct {
		Game                             string
		Mean, Spread, Least, Most, Games int
		Past                             []map[string]any
	}
	Shown *hall.Shown
}

func pageOf(name string) string { return "/api/people/" + url.PathEscape(name) }

func (c *client) profile(name string) (p profileOf) {
	c.Helper()
	c.ask("GET", pageOf(name), "").is(c, 200).read(c, &p)
	return p
}

// listed are the tables that somebody is told of a member.
func (c *client) listed(name, query string) (ids []string) {
	c.Helper()
	var got struct {
		Games []struct{ Table string }
	}
	c.ask("GET", pageOf(name)+"/games"+query, "").is(c, 200).read(c, &got)
	for _, g := range got.Games {
		ids = append(ids, g.Table)
	}
	return ids
}

// lost lets the second of two give up a game at once.
func lost(visible string, winner, loser *client) string {
	winner.Helper()
	id := begun(`{"game":"bosk","seats":2,"visible":"`+visible+`"}`, winner, loser)
	loser.ask("POST", "/api/tables/"+id+"/resign", "").is(winner, 200)
	return id
}

// ratedGame is a rated game that the second of two members loses.
func (w *world) ratedGame(winner, loser *client) string {
	w.Helper()
	people := []*client{winner, loser}
	for _, by := range people {
		by.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(w, 200)
	}
	for range 8 { // until the window is wide enough
		var got waitingReply
		if winner.ask("GET", "/api/play", "").is(w, 200).read(w, &got); got.State == hall.WaitsCome {
			break
		}
		loser.ask("GET", "/api/play", "").is(w, 200)
		w.wait(4 * time.Second)
	}
	for i, by := range people {
		by.ask("POST", "/api/play/ready", `{"nonce":"`+[]string{"000102030405060708090a0b0c0d0e0f", "ff0102030405060708090a0b0c0d0e0f"}[i]+`"}`).is(w, 200)
	}
	id := w.waits(winner, hall.WaitsOver).Table
	var look struct{ You int }
	if winner.ask("GET", "/api/tables/"+id, "").is(w, 200).read(w, &look); look.You == 1 {
		people = []*client{loser, winner}
	}
	rng := seeded(1)
	for range 4 { // past the first round, in which leaving rates nobody
		w.turn(rng, id, people...)
	}
	loser.ask("POST", "/api/tables/"+id+"/resign", "").is(w, 200)
	w.wait(3 * time.Minute) // and nobody waits any more
	return id
}

// profiles asks for everything there is about a member's page.
func (w *world) profiles(dora *client) {
	w.Helper()
	lost("open", dora, w.guest("Emil"))
	dora.profile("Dora")
	dora.ask("GET", pageOf("Dora")+"/games?most=1", "").is(w, 200)
	w.nobody().ask("GET", pageOf("Dora")+"/games", "").is(w, 200)
	w.nobody().profile("Dora")
	dora.ask("PATCH", "/api/me/shown", `{"rating":false}`).is(w, 200)
}

// TestAProfile: everything to its person, to others what they show, and to nobody a
// page of somebody who has none.
func TestAProfile(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben Oak/Ash"), w.guest("Cleo")
	old := lost("open", anna, ben) // before she is a member
	anna.keepName(w.newKey())
	ben.keepName(w.newKey())
	shut := lost("link", ben, anna)
	rated := w.ratedGame(anna, ben)
	bots := anna.table(`{"game":"bosk","seats":2,"visible":"open"}`)
	anna.sit(bots)
	anna.ask("POST", "/api/tables/"+bots+"/start", `{"fill":"easy"}`).is(t, 200)
	anna.ask("POST", "/api/tables/"+bots+"/resign", "").is(t, 200)

	own := anna.profile("anna")
	if own.Name != "Anna" || !own.You || own.Shown == nil || *own.Shown != (hall.Shown{Rating: true, Results: true, Games: true}) || own.Since != dawn.Format("2006-01") {
		t.Errorf("her own: %+v", own)
	}
	if r := *own.Results; len(r) != 3 || r[0].Alone || r[0].Closed || r[0].Played != 2 || r[0].Won != 2 || r[1].Gone != 1 || !r[1].Closed || !r[2].Alone || r[2].Gone != 1 {
		t.Errorf("her own results: %+v", r)
	}
	if r := *own.Ratings; len(r) != 1 || r[0].Mean <= 1500 || r[0].Least < 1 || r[0].Most < r[0].Least || len(r[0].Past) != 1 || r[0].Past[0]["table"] != nil {
		t.Errorf("her own ratings: %+v", r)
	}
	if got := anna.listed("Anna", ""); !slices.Equal(got, []string{bots, rated, old}) {
		t.Errorf("her games are %v", got)
	}
	if got := anna.listed("Anna", "?closed=true"); !slices.Equal(got, []string{shut}) {
		t.Errorf("her games at closed tables are %v", got)
	}
	for _, by := range []*client{w.nobody(), cleo, ben} { // also who sat there
		seen := by.profile("Anna")
		if seen.You || seen.Shown != nil || !seen.Games || seen.Since == "" || len(*seen.Results) != 2 || (*seen.Results)[0].Played != 2 || len(*seen.Ratings) != 1 {
			t.Errorf("others see %+v", seen)
		}
		if got := by.listed("Anna", ""); !slices.Equal(got, []string{bots, rated, old}) {
			t.Errorf("others are told of %v", got)
		}
		if raw := by.ask("GET", pageOf("Anna")+"/games", "").body; bytes.Contains(raw, []byte("Ben")) || bytes.Contains(raw, []byte("who")) {
			t.Errorf("others are told who else sat there: %s", raw)
		}
		by.ask("GET", pageOf("Anna")+"/games?closed=true", "").refuses(t, 404, "server.none")
	}
	var first, second struct {
		Games []struct {
			Table string
			Who   []*hall.Who
		}
		More int
	}
	anna.ask("GET", pageOf("Anna")+"/games?most=2", "").is(t, 200).read(t, &first)
	anna.ask("GET", fmt.Sprintf("%s/games?most=2&before=%d", pageOf("Anna"), first.More), "").is(t, 200).read(t, &second)
	if len(first.Games) != 2 || len(second.Games) != 1 || second.Games[0].Table != old || second.More != 0 || len(second.Games[0].Who) != 2 || second.Games[0].Who[1].Name != "Ben Oak/Ash" {
		t.Errorf("page by page: %+v, %+v", first, second)
	}

	var shown hall.Shown
	anna.ask("PATCH", "/api/me/shown", `{"closed":true}`).is(t, 200).read(t, &shown)
	if r := *cleo.profile("Anna").Results; shown != (hall.Shown{Rating: true, Results: true, Games: true, Closed: true}) || len(r) != 2 || r[0].Played != 3 || r[0].Closed || r[0].Gone != 1 {
		t.Errorf("with those at closed tables: %+v %+v", shown, r)
	}
	anna.ask("PATCH", "/api/me/shown", `{"rating":false,"games":false}`).is(t, 200)
	if seen := cleo.profile("Anna"); seen.Ratings != nil || seen.Games || seen.Results == nil || seen.Since == "" {
		t.Errorf("with results alone others see %+v", seen)
	}
	cleo.ask("GET", pageOf("Anna")+"/games", "").refuses(t, 404, "server.none")
	anna.ask("PATCH", "/api/me/shown", `{"results":false}`).is(t, 200)
	for _, by := range []*client{w.nobody(), cleo, ben} {
		want := `{"name":"Anna","bond":"none"}`
		if by.cookie == "" {
			want = `{"name":"Anna"}`
		}
		if raw := by.ask("GET", pageOf("Anna"), "").is(t, 200).body; string(raw) != want+"\n" {
			t.Errorf("a page on which nothing is shown says %s", raw)
		}
	}
	if own := anna.profile("Anna"); own.Results == nil || own.Ratings == nil || !own.Games || own.Shown.Results {
		t.Errorf("she herself sees %+v", own)
	}
	var mine struct {
		Shown   hall.Shown
		Results []map[string]any
	}
	if anna.ask("GET", "/api/me/download", "").is(t, 200).read(t, &mine); mine.Shown != (hall.Shown{Closed: true}) || len(mine.Results) != 3 {
		t.Errorf("her download has %+v", mine)
	}

	if ben.profile("Ben Oak/Ash").Name != "Ben Oak/Ash" {
		t.Error("a name with a slash has no page")
	}
	for _, none := range []string{"Cleo", "Nobody", "Pruner", "...", strings.Repeat("x", 500), "\u200b"} {
		w.nobody().ask("GET", pageOf(none), "").refuses(t, 404, "server.none")
		w.nobody().ask("GET", pageOf(none)+"/games", "").refuses(t, 404, "server.none")
	}
	anna.ask("PATCH", "/api/me", `{"name":"Anja"}`).is(t, 200)
	w.nobody().ask("GET", pageOf("Anna"), "").is(t, 404)
	w.nobody().ask("GET", pageOf("Anja"), "").is(t, 200)
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	w.nobody().ask("GET", pageOf("Anja"), "").is(t, 404)
}

// TestRatingsOfARatedGameAreForThoseAtIt: who looks on is told that it was rated, and
// nobody's rating.
func TestRatingsOfARatedGameAreForThoseAtIt(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	anna.keepName(w.newKey())
	ben.keepName(w.newKey())
	id := w.ratedGame(anna, ben)
	for _, by := range []*client{anna, ben, w.guest("Cleo"), w.nobody()} {
		var s struct{ Rated *hall.RatedGame }
		by.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
		if sat := by == anna || by == ben; s.Rated == nil || s.Rated.Number != 1 || (len(s.Rated.Seats) == 2) != sat {
			t.Errorf("somebody who sat there (%v) is told %+v", sat, s.Rated)
		}
	}
}

// TestWhatIsHiddenChangesNothing: whatever happens that a member does not show, others
// are answered the same byte for byte, headers included, before and after.
func TestWhatIsHiddenChangesNothing(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	anna.keepName(w.newKey())
	ben.keepName(w.newKey())
	lost("open", anna, ben)
	w.ratedGame(anna, ben)
	lost("link", anna, ben)
	viewers := map[string]*client{"nobody": w.nobody(), "a guest": w.guest("Cleo"), "who sat there": ben, "a program": w.guest("Dora").program("Pruner")}
	seen := func() map[string]string {
		all := map[string]string{}
		for who, by := range viewers {
			for _, path := range []string{"", "/games", "/games?most=1", "/games?before=1", "/games?before=1000", "/games?closed=true", "/games?most=1000000"} {
				r := by.ask("GET", pageOf("Anna")+path, "")
				r.header.Del("Date")
				raw, err := json.Marshal(r.header)
				if err != nil {
					t.Fatal(err)
				}
				all[who+" "+path] = fmt.Sprint(r.status, string(raw), string(r.body))
			}
		}
		return all
	}
	rerate := func() { // as if she were much stronger
		papers, err := w.db.Papers(context.Background(), "rating", "", "", 100)
		if err != nil || len(papers) == 0 {
			t.Fatal(papers, err)
		}
		for _, p := range papers {
			p.Body = bytes.Replace(p.Body, []byte(`"games":`), []byte(`"games":1`), 1)
			if err := w.db.Write(context.Background(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
	shut := func() { lost("link", ben, anna) }
	private := func() {
		id := begun(`{"game":"treesociety","seats":2,"visible":"private"}`, anna, ben)
		anna.ask("POST", "/api/tables/"+id+"/resign", "").is(t, 200)
	}
	open := func() { lost("open", ben, anna) }
	rated := func() { w.ratedGame(ben, anna) }
	for _, one := range []struct {
		shows string
		does  []func()
		told  func() // and this is told
	}{
		{`{"rating":true,"results":true,"games":true,"closed":false}`, []func(){shut, private}, open},
		{`{"rating":false,"results":true,"games":true,"closed":false}`, []func(){rerate, private}, open},
		{`{"rating":true,"results":false,"games":false,"closed":false}`, []func(){open, shut, private}, rated},
		{`{"rating":false,"results":true,"games":false,"closed":true}`, []func(){rerate}, shut},
		{`{"rating":false,"results":false,"games":true,"closed":true}`, []func(){shut, private, rerate}, open},
		{`{"rating":false,"results":false,"games":false,"closed":true}`, []func(){open, shut, private, rated, rerate}, nil},
		{`{"rating":false,"results":false,"games":false,"closed":false}`, []func(){open, shut, private, rated, rerate}, nil},
	} {
		anna.ask("PATCH", "/api/me/shown", one.shows).is(t, http.StatusOK)
		before := seen()
		for _, do := range one.does {
			do()
		}
		after := seen()
		for what, was := range before {
			if after[what] != was {
				t.Errorf("%s: %s is answered\n%s\nand then\n%s", one.shows, what, was, after[what])
			}
		}
		if one.told == nil {
			continue
		}
		one.told()
		if now := seen(); now["nobody "] == before["nobody "] && now["nobody /games"] == before["nobody /games"] {
			t.Errorf("%s: what is shown changes nothing either", one.shows)
		}
	}
	// Nor does a page whose person shows nothing differ from that of somebody who has
	// never played, in anything but the name.
	zoe := w.guest("Zoey")
	zoe.keepName(w.newKey())
	zoe.ask("PATCH", "/api/me/shown", `{"rating":false,"results":false,"games":false}`).is(t, 200)
	one, two := w.nobody().ask("GET", pageOf("Anna"), ""), w.nobody().ask("GET", pageOf("Zoey"), "")
	if a, b := strings.ReplaceAll(string(one.body), "Anna", "Zoey"), string(two.body); a != b {
		t.Errorf("who hides all differs from who has nothing: %s, %s", a, b)
	}
}

// TestThePageOfAnyName is the page, whatever is in the name: a dot is no file, and a
// slash no further step.
func TestThePageOfAnyName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		files := headed()
		files["pages.json"] = plain(`{"/":{},"/people/*":{}}`)
		s.Page = files
	})
	for path, want := range map[string]int{"/people/Anna": 200, "/people/J.%20R.": 200, "/people/Oak%2FAsh": 200, "/people/Anna/": 200, "/people/": 404, "/people/Anna/games": 404} {
		status, robots, text := visit(t, w.serve, path, "en")
		if status != want || robots != "noindex" || !strings.Contains(text, "entrance") {
			t.Errorf("%s is answered %d, robots %q: %.80s", path, status, robots, text)
		}
	}
}

// TestWhoAreApartSeeTheNameAlone: of a page they see as much as of one that shows
// nothing, on both sides; and a page tells what its member is to whoever asks.
func TestWhoAreApartSeeTheNameAlone(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	anna.keepName(w.newKey())
	ben.keepName(w.newKey())
	bond := func(by *client, name string) (string, bool) {
		t.Helper()
		r := by.ask("GET", "/api/people/"+name, "")
		r.is(t, 200)
		var page struct {
			Bond    string
			Results *[]any
		}
		if err := json.Unmarshal(r.body, &page); err != nil {
			t.Fatal(err)
		}
		return page.Bond, page.Results != nil
	}
	for _, c := range []struct {
		by    *client
		name  string
		bond  string
		shown bool
	}{{cleo, "Anna", "none", true}, {w.nobody(), "Anna", "", true}, {anna, "Anna", "", true}, {ben, "Anna", "none", true}} {
		if is, shown := bond(c.by, c.name); is != c.bond || shown != c.shown {
			t.Errorf("%q, %v, not %q", is, shown, c.bond)
		}
	}
	anna.ask("POST", "/api/blocks", `{"name":"Ben"}`).is(t, 204)
	if is, shown := bond(anna, "Ben"); is != "blocked" || shown {
		t.Errorf("who blocks sees %q, %v", is, shown)
	}
	if is, shown := bond(ben, "Anna"); is != "none" || shown {
		t.Errorf("who is blocked sees %q, %v", is, shown)
	}
	if is, shown := bond(cleo, "Anna"); is != "none" || !shown {
		t.Errorf("somebody else sees %q, %v", is, shown)
	}
}
