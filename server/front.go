package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"

	"copse/game"
	"copse/i18n"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// front answers for the page: with its files, and with the entrance at the address of
// every page. What is shown of a link by whoever shares it, its card, stands in the
// head of the entrance.
type front struct {
	site
	server *Server
	pages  map[string]map[string]string // by address, of which a last step of * is any one step, and language: the files it begins with, as a Link header names them
	head   []byte                       // of the entrance, up to where a card belongs; nil where it has no head
	rest   []byte
}

// pageList is the file in which the build of the page says at which addresses there
// are pages, and with which files each begins in each language.
const pageList = "pages.json"

func (s *Server) front(files site) (*front, error) {
	f := &front{site: files, server: s}
	if files[entrance] == nil {
		return f, nil
	}
	raw, err := files[entrance].forms[identity].bytes()
	if err != nil {
		return nil, err
	}
	if at := bytes.Index(raw, []byte("</head>")); at >= 0 {
		f.head, f.rest = raw[:at:at], raw[at:]
	}
	list := files[pageList]
	if list == nil {
		return nil, fmt.Errorf("the page has no %s: build it again with “make run”", pageList)
	}
	var begins map[string]map[string][]string
	if raw, err = list.forms[identity].bytes(); err == nil {
		err = json.Unmarshal(raw, &begins)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pageList, err)
	}
	f.pages = make(map[string]map[string]string, len(begins))
	for page, languages := range begins {
		f.pages[page] = make(map[string]string, len(languages))
		for language, names := range languages {
			f.pages[page][language] = links(names)
		}
	}
	delete(files, pageList)
	return f, nil
}

// ServeHTTP answers with a file, with a page of the handbook, or with the entrance where
// a path is that of a page and not of a file: one without a dot in its last step. Where there is no such page
// the status says so, and the entrance shows it.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	one, last := f.site[name], name[strings.LastIndexByte(name, '/')+1:]
	if one == nil {
		one = f.site[handbookFile(name)]
	}
	person, ofPerson := strings.CutPrefix(r.URL.EscapedPath(), "/people/")
	switch {
	case f.site[entrance] == nil:
		say(w, http.StatusServiceUnavailable, notBuilt)
	case ofPerson: // a name may have a dot or a slash in it
		f.enter(w, r, "/people/"+strings.TrimSuffix(person, "/"))
	case one != nil:
		one.ServeHTTP(w, r)
	case strings.Contains(last, ".") || strings.HasPrefix(name, "assets/"):
		say(w, http.StatusNotFound, notHere)
	default:
		f.enter(w, r, "/"+strings.TrimSuffix(name, "/"))
	}
}

// handbookFile is the file of a page of the handbook: the documents that lie at /docs,
// as web/handbook makes them. They are whole pages, so the entrance has no part in them.
func handbookFile(name string) string {
	switch name = strings.TrimSuffix(name, "/"); {
	case name == "docs":
		return "docs/index.html"
	case strings.HasPrefix(name, "docs/"):
		return name + ".html"
	}
	return ""
}

// enter answers with the entrance.
func (f *front) enter(w http.ResponseWriter, r *http.Request, address string) {
	page, status := f.page(address), http.StatusOK
	words := i18n.Pick(r.Header.Get("Accept-Language"))
	shown := homeCard(words)
	switch step := strings.Split(address, "/"); {
	case page == "":
		status = http.StatusNotFound
	case page == "/t/*" && f.server.Hall != nil:
		there := true
		if shown, there = f.server.tableCard(r, step[2], words); !there {
			status = http.StatusNotFound
		}
	case len(step) == 3 && f.site[pictureOf(step[1])] != nil:
		shown.of(step[1], words)
	case len(step) == 3 && f.site[pictureOf(step[2])] != nil:
		shown.of(step[2], words)
	}
	if status != http.StatusOK || strings.HasSuffix(page, "*") { // what one person plays is for nobody's index
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	if early := f.pages[page][words.Tag()]; early != "" {
		w.Header().Set("Link", early)
	}
	if f.head == nil {
		f.site[entrance].answer(w, r, status)
		return
	}
	w.Header().Add("Vary", "Accept-Language")
	whole := shown.append(f.head, f.server.origin(r), address, f.site)
	packed(mime(entrance), append(whole, f.rest...)).answer(w, r, status)
}

// page is which of the pages an address is; empty for none.
func (f *front) page(address string) string {
	if f.pages[address] != nil {
		return address
	}
	step := strings.LastIndexByte(address, '/') + 1
	if page := address[:step] + "*"; f.pages[page] != nil && len(address) > step {
		return page
	}
	return ""
}

// links is a Link header for files that a page begins with: a browser fetches them while
// it still reads the entrance.
func links(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		as := "modulepreload"
		if strings.HasSuffix(name, ".css") {
			as = "preload; as=style; crossorigin"
		}
		list[i] = "<" + name + ">; rel=" + as
	}
	return strings.Join(list, ", ")
}

// origin is what comes before a path in the addresses of this server, as the client
// writes them.
func (s *Server) origin(r *http.Request) string {
	if s.tls(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// card is what is shown of a link.
type card struct {
	title, about string
	picture      string // the name of a file
	locale       string
}

// The keys of cards, which no page shows.
func cardPhrases() []game.Phrase {
	say := game.Say
	return game.Needed(game.Never,
		say("server.card"),
		say("server.card.about"),
		say("server.card.game", "game"),
		say("server.card.table", "game", "seats"),
		say("server.card.empty"),
		say("server.card.free", "names", "free"),
		say("server.card.full", "names"),
		say("server.card.play", "names"),
		say("server.card.over", "names"),
		say("server.card.bots"),
	)
}

func homeCard(words *i18n.Locale) card {
	return card{title: words.Say("server.card", nil, nil), about: words.Say("server.card.about", nil, nil), picture: "card.png", locale: words.Tag()}
}

// pictureOf is the name of the picture of a game.
func pictureOf(game string) string { return "card-" + game + ".png" }

// of makes it the card of a game.
func (c *card) of(name string, words *i18n.Locale) {
	c.title = words.Say("server.card.game", game.Args{"game": words.Say(name+".name", nil, nil)}, nil)
	c.picture = pictureOf(name)
}

const (
	// cardTime is how long the store may take to say what is known of a table.
	cardTime = 2 * time.Second

	// longestTable is how long an ID can be that is looked for.
	longestTable = 64
)

// tableCard is the card of a table, and whether the table is there: the game, its
// seats and who sits there, for whoever has the link; nothing of a private table.
// Where the store does not say it in time the table may be there.
func (s *Server) tableCard(r *http.Request, id string, words *i18n.Locale) (c card, there bool) {
	c = homeCard(words)
	if len(id) > longestTable {
		return c, false
	}
	if s.often(r, "cards", s.address(r), quota{s.limits.Requests, time.Second, max(2*s.limits.Requests, 1)}) != nil {
		return c, true
	}
	ctx, done := context.WithTimeout(r.Context(), cardTime)
	defer done()
	sum, err := s.Hall.Summary(ctx, id)
	var set table.Settings
	var seats []struct{ Held string }
	if err == nil {
		err = errors.Join(json.Unmarshal(sum.Settings, &set), json.Unmarshal(sum.Seats, &seats))
	}
	if err != nil || set.Visible == table.Private {
		return c, !errors.Is(err, store.ErrNone)
	}
	c.of(set.Game, words)
	c.title = words.Say("server.card.table", game.Args{"game": words.Say(set.Game+".name", nil, nil), "seats": set.Seats}, nil)
	free := 0
	for _, seat := range seats {
		if seat.Held == table.Nobody.String() {
			free++
		}
	}
	c.about = aboutTable(words, &sum, free)
	return c, true
}

// aboutTable says who sits at a table and how far it is.
func aboutTable(words *i18n.Locale, sum *hall.Summary, free int) string {
	var names []string
	for _, who := range sum.Who {
		if who != nil {
			names = append(names, who.Name)
		}
	}
	args := game.Args{"names": names, "free": free}
	key := map[string]string{"lobby": "server.card.full", "over": "server.card.over"}[sum.Phase]
	switch {
	case sum.Phase == "lobby" && len(names) == 0:
		key, args = "server.card.empty", nil
	case len(names) == 0: // whoever sat here is no more
		key, args = "server.card.bots", nil
	case sum.Phase == "lobby" && free > 0:
		key = "server.card.free"
	case key == "":
		key = "server.card.play"
	}
	return words.Say(key, args, nil)
}

// append appends the card to the head of a page, as Open Graph has it.
func (c *card) append(head []byte, origin, address string, files site) []byte {
	head = bytes.Replace(head, []byte("<title>Copse</title>"), []byte("<title>"+html.EscapeString(c.title)+"</title>"), 1)
	b := bytes.NewBuffer(head)
	tag := func(property, content string) {
		fmt.Fprintf(b, "<meta property=\"%s\" content=\"%s\" />\n", property, html.EscapeString(content))
	}
	tag("og:site_name", "Copse")
	tag("og:type", "website")
	tag("og:locale", c.locale)
	tag("og:title", c.title)
	tag("og:description", c.about)
	tag("og:url", origin+address)
	if files[c.picture] != nil {
		tag("og:image", origin+"/"+c.picture)
		tag("og:image:width", "1200")
		tag("og:image:height", "630")
		tag("og:image:alt", c.title)
		fmt.Fprint(b, "<meta name=\"twitter:card\" content=\"summary_large_image\" />\n")
	}
	return b.Bytes()
}
