package server_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The roles of those who ask, in the order of the columns below.
var roles = []string{
	"nobody",    // has no account
	"stranger",  // a guest who sits elsewhere
	"shut out",  // a guest at the door of a private table
	"player",    // sits at the table and is to act
	"waiting",   // sits at the table and is not to act
	"program",   // has a token, sits at the table and is to act
	"bad token", // shows a token that is good for nothing
	"malformed", // a player who sends rubbish
}

// scene is how far a table is when it is asked.
type scene int

const (
	nowhere scene = iota // no table is needed
	lobby
	playing
	over
)

// row is what every role is answered when it asks for something.
type row struct {
	at   scene
	body string
	want string // a status for every role
}

// rows has one row for every operation of the OpenAPI document. The test below
// fails where a new operation has none.
var rows = map[string]row{
	//                                                           nobody stranger shut player waiting program token malformed
	"games":             {nowhere, "", "200 200 200 200 200 200 401 200"},
	"me":                {nowhere, "", "200 200 200 200 200 200 401 200"},
	"become":            {nowhere, `{"name":"Zoe"}`, "201 409 409 409 409 409 401 400"},
	"rename":            {nowhere, `{"name":"Zoe"}`, "401 200 200 200 200 403 401 400"},
	"forget":            {playing, "", "401 204 204 204 204 403 401 204"},
	"signOut":           {nowhere, "", "401 204 204 204 204 403 401 204"},
	"signOutEverywhere": {nowhere, "", "401 204 204 204 204 403 401 204"},
	"code":              {nowhere, "", "401 201 201 201 201 403 401 201"},
	"continue":          {nowhere, `{"code":"2222222222"}`, "409 409 409 409 409 409 401 400"},
	"programs":          {nowhere, "", "401 200 200 200 200 403 401 200"},
	"addProgram":        {nowhere, `{"name":"Zoe"}`, "401 201 201 201 201 403 401 400"},
	"renewProgram":      {nowhere, "", "401 404 404 404 404 403 401 404"},
	"dropProgram":       {nowhere, "", "401 404 404 404 404 403 401 404"},
	"sessions":          {nowhere, "", "401 200 200 200 200 403 401 200"},
	"endSession":        {nowhere, "", "401 404 404 404 404 403 401 404"},
	"mine":              {nowhere, "", "401 200 200 200 200 403 401 200"},

	// Worlds are reached by an address, for which there are no passkeys.
	"passkeys":      {nowhere, "", "401 200 200 200 200 403 401 200"},
	"beginPasskey":  {nowhere, "", "401 409 409 409 409 403 401 409"},
	"addPasskey":    {nowhere, `{"ticket":"","credential":{}}`, "401 409 409 409 409 403 401 400"},
	"labelPasskey":  {nowhere, `{"label":"Phone"}`, "401 404 404 404 404 403 401 400"},
	"removePasskey": {nowhere, "", "401 404 404 404 404 403 401 400"},
	"makeCodes":     {nowhere, "", "401 409 409 409 409 403 401 409"},
	"beginSignIn":   {nowhere, "", "409 409 409 409 409 403 401 409"},
	"signIn":        {nowhere, `{"ticket":"","credential":{}}`, "409 409 409 409 409 403 401 400"},
	"recover":       {nowhere, `{"name":"Zoe","code":"2222-2222-2222-2222"}`, "409 409 409 409 409 403 401 400"},

	// Nobody there is a member.
	"profile":      {nowhere, "", "404 404 404 404 404 404 401 404"},
	"profileGames": {nowhere, "", "404 404 404 404 404 404 401 400"},
	"show":         {nowhere, `{"games":false}`, "401 409 409 409 409 403 401 400"},

	// Worlds have no doorbell; doorbell_test.go has one.
	"doorbell":    {nowhere, "", "401 200 200 200 200 403 401 200"},
	"setDoorbell": {nowhere, `{"live":true}`, "401 200 200 200 200 403 401 400"},
	"addBrowser":  {nowhere, `{"subscription":{},"language":"en","zone":"Europe/Zurich"}`, "401 409 409 409 409 403 401 400"},
	"dropBrowser": {nowhere, "", "401 404 404 404 404 403 401 404"},
	"tryDoorbell": {nowhere, "", "401 409 409 409 409 403 401 409"},

	"openTables":   {nowhere, "", "200 200 200 200 200 200 401 400"},
	"myTables":     {playing, "", "401 200 200 200 200 200 401 200"},
	"playedTables": {over, "", "401 200 200 200 200 200 401 400"},
	"create":       {nowhere, `{"game":"bosk","seats":2}`, "401 201 201 201 201 201 401 400"},

	"playNow":     {nowhere, `{"game":"bosk","seats":2}`, "401 200 200 200 200 403 401 400"},
	"waiting":     {nowhere, "", "401 200 200 200 200 403 401 200"},
	"come":        {nowhere, `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, "401 200 200 200 200 403 401 400"}, // nobody waits: they are told so
	"stopWaiting": {nowhere, "", "401 204 204 204 204 403 401 204"},
	"ratings":     {nowhere, "", "401 200 200 200 200 403 401 200"},

	"friends":        {nowhere, "", "401 200 200 200 200 403 401 200"},
	"askFriend":      {playing, `{"table":"the table","seat":1}`, "401 200 404 200 409 403 401 400"}, // who waits asks for themselves
	"beSeen":         {nowhere, `{"yes":true}`, "401 204 204 204 204 403 401 400"},
	"answerFriend":   {nowhere, `{"yes":true}`, "401 404 404 404 404 403 401 400"},
	"dropFriend":     {nowhere, "", "401 404 404 404 404 403 401 404"},
	"makeFriendLink": {nowhere, "", "401 201 201 201 201 403 401 201"},
	"endFriendLink":  {nowhere, "", "401 204 204 204 204 403 401 204"},
	"useFriendLink":  {nowhere, `{"code":"nothing"}`, "401 404 404 404 404 403 401 400"},
	"blocks":         {nowhere, "", "401 200 200 200 200 403 401 200"},
	"block":          {playing, `{"table":"the table","seat":1}`, "401 204 404 204 409 403 401 400"},
	"unblock":        {nowhere, "", "401 404 404 404 404 403 401 404"},
	"invitations":    {nowhere, "", "401 200 200 200 200 403 401 200"},
	"dismiss":        {lobby, "", "401 404 404 404 404 403 401 404"},
	"invite":         {lobby, `{"friends":["nobody"]}`, "401 404 404 404 404 403 401 400"}, // nobody has a friend
	"bonds":          {playing, "", "401 200 404 200 200 403 401 200"},
	"makeCompany":    {playing, `{"name":"We","table":"the table"}`, "401 403 404 409 409 403 401 400"},
	"dropCompany":    {nowhere, "", "401 404 404 404 404 403 401 404"},
	"playCompany":    {nowhere, "", "401 404 404 404 404 403 401 404"},
	"house":          {nowhere, "", "200 200 200 200 200 200 401 200"},

	"look":    {playing, "", "200 200 404 200 200 200 401 200"},
	"record":  {playing, "", "200 200 404 200 200 200 401 200"},
	"moves":   {playing, "", "200 200 404 200 200 200 401 400"},
	"sheet":   {playing, "", "200 200 404 200 200 200 401 200"},
	"entries": {playing, "", "200 200 404 200 200 200 401 400"},
	"replay":  {playing, "", "200 200 404 200 200 200 401 200"},
	"export":  {over, "", "200 200 404 200 200 200 401 200"},
	"lines":   {playing, "", "200 200 404 200 200 200 401 400"},

	"sit":            {lobby, `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, "401 409 409 409 409 409 401 400"}, // both seats are taken
	"leave":          {playing, "", "401 403 404 200 200 200 401 400"},
	"return":         {playing, "", "401 403 404 409 409 409 401 400"}, // nobody is away
	"seatBot":        {lobby, `{"seat":1,"player":"easy"}`, "401 403 403 409 403 409 401 400"},
	"dropBot":        {lobby, "", "401 403 403 409 403 409 401 400"},
	"kick":           {lobby, `{"seat":1}`, "401 403 403 200 403 200 401 400"},
	"start":          {lobby, "", "401 403 403 200 200 200 401 400"},
	"play":           {playing, "the move", "401 403 404 200 409 200 401 400"},
	"undo":           {playing, "", "401 403 404 200 200 200 401 400"}, // both have moved
	"suggestPause":   {playing, "", "401 403 404 200 200 200 401 400"},
	"resume":         {playing, "", "401 403 404 409 409 409 401 400"},
	"suggestAbandon": {playing, "", "401 403 404 200 200 200 401 400"},
	"agree":          {playing, `{"for":"undo","yes":true}`, "401 403 404 409 409 409 401 400"},
	"resign":         {playing, "", "401 403 404 200 200 200 401 400"},
	"rematch":        {over, "", "401 403 404 200 200 200 401 200"},
	"say":            {playing, `{"phrase":"hello"}`, "401 403 404 201 201 201 401 400"},

	"report":      {playing, `{"table":"{table}","seat":1,"why":"other"}`, "401 204 404 204 409 403 401 400"}, // nobody reports themselves
	"reports":     {nowhere, "", "401 404 404 404 404 403 401 404"},                                           // none of these is an operator
	"oneReport":   {nowhere, "", "401 404 404 404 404 403 401 404"},
	"closeReport": {nowhere, "", "401 404 404 404 404 403 401 400"},
	"people":      {nowhere, "", "401 404 404 404 404 403 401 404"},
	"person":      {nowhere, "", "401 404 404 404 404 403 401 404"},
	"act":         {nowhere, `{"do":"mute","why":"x"}`, "401 404 404 404 404 403 401 400"},
	"acts":        {nowhere, "", "401 404 404 404 404 403 401 404"},

	"stream": {playing, "", "200 200 200 200 200 200 401 400"},
}

// operation is what the document says of something that can be asked for.
type operation struct {
	method, path string
	ID           string `json:"operationId"`
	Parameters   []struct{ Name, In string }
	RequestBody  *struct{}
	Security     []map[string][]string
}

func operations(t *testing.T, w *world) map[string]operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]operation
	}
	w.nobody().ask("GET", "/api/openapi.json", "").is(t, 200).read(t, &doc)
	all := map[string]operation{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			if _, ok := all[op.ID]; ok || op.ID == "" {
				t.Errorf("%s %s has the name %q of another", method, path, op.ID)
			}
			all[op.ID] = op
		}
	}
	return all
}

// TestEveryoneMayDoWhatTheyMay asks for everything as everyone. The OpenAPI
// document says what can be asked for; the rows say what must be answered.
func TestEveryoneMayDoWhatTheyMay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := operations(t, w)
	for id := range rows {
		if _, ok := all[id]; !ok {
			t.Errorf("the document has no operation %s any more", id)
		}
	}
	for id, op := range all {
		r, ok := rows[id]
		want := strings.Fields(r.want)
		if !ok || len(want) != len(roles) {
			t.Errorf("%s has no row: say what every role is to be answered", id)
			continue
		}
		for i, role := range roles {
			status, err := strconv.Atoi(want[i])
			if err != nil {
				t.Fatal(err)
			}
			if got := w.play(role, op, r); got.status != status {
				t.Errorf("%s as %s is answered %d, not %d: %.200s", id, role, got.status, status, got.body)
			}
		}
		checkSecurity(t, op, want)
	}
}

// checkSecurity makes sure that the document says who may ask.
func checkSecurity(t *testing.T, op operation, want []string) {
	t.Helper()
	may := map[string]bool{}
	for _, way := range op.Security {
		if len(way) == 0 {
			may["nobody"] = true
		}
		for name := range way {
			may[name] = true
		}
	}
	if may["nobody"] == (want[0] == "401") || may["token"] == (want[5] == "403") || !may["cookie"] {
		t.Errorf("%s: the document says %v", op.ID, op.Security)
	}
}

// play asks for something as somebody, at a table that was set for it.
func (w *world) play(role string, op operation, r row) reply {
	w.Helper()
	anna, ben := w.guest("Anna"), w.guest("Ben")
	first := anna
	if role == "program" {
		first = anna.program("Pruner")
	}
	id := "none"
	if r.at != nowhere {
		visible := "link"
		if role == "shut out" {
			visible = "private"
		}
		id = first.table(fmt.Sprintf(`{"game":"bosk","seats":2,"visible":%q}`, visible))
		first.sit(id)
		ben.sit(id)
	}
	if r.at >= playing {
		first.ask("POST", "/api/tables/"+id+"/start", "").is(w, 200)
	}
	body := r.body
	if r.at == playing {
		for first.toAct(id) != 1 { // until Ben has something to take back
			w.any(first, id)
		}
		for first.toAct(id) != 0 {
			w.any(ben, id)
		}
		if body == "the move" {
			m := first.moves(id)
			body = draft(m.After, m.Moves[0])
		}
	}
	if r.at == over {
		ben.ask("POST", "/api/tables/"+id+"/resign", "").is(w, 200)
	}
	body = strings.ReplaceAll(body, "the table", id)
	by := map[string]*client{
		"nobody": w.nobody(), "stranger": w.guest("Cleo"), "shut out": w.guest("Cleo"), "player": first, "waiting": ben,
		"program": first, "bad token": {world: w, token: "copse_rubbish"}, "malformed": first,
	}[role]
	body = strings.ReplaceAll(body, "{table}", id)
	path := strings.NewReplacer("{report}", "1", "{person}", "nothing", "{table}", id, "{number}", "1", "{seat}", "1", "{program}", "nothing", "{passkey}", "nothing", "{session}", "nothing", "{name}", "Zoe", "{friend}", "nothing", "{company}", "nothing").Replace(op.path)
	header := []string{}
	if role == "malformed" {
		body = `{"rubbish":`
		query := []string{}
		for _, p := range op.Parameters {
			if p.In == "query" && p.Name != "table" && p.Name != "game" {
				query = append(query, p.Name+"=rubbish")
			}
			if p.In == "header" {
				header = append(header, p.Name+": a key with spaces")
			}
		}
		path += "?" + strings.Join(query, "&")
	}
	if op.ID == "stream" && role != "bad token" && role != "malformed" {
		by.listen("table=" + id).close()
		return reply{status: 200}
	}
	return by.ask(op.method, path, body, header...)
}

// any makes any move.
func (w *world) any(c *client, id string) {
	w.Helper()
	m := c.moves(id)
	c.ask("POST", "/api/tables/"+id+"/moves", draft(m.After, m.Moves[0])).is(w, 200)
}

// TestTheDocument: everything that it refers to is there, and every body that it
// describes is read as described.
func TestTheDocument(t *testing.T) {
	w := newWorld(t)
	raw := w.nobody().ask("GET", "/api/openapi.json", "").is(t, 200).body
	var doc struct {
		OpenAPI    string
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage
				OneOf      []json.RawMessage
				Enum       []string
			}
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatalf("%v: %.100s", err, raw)
	}
	for part := range strings.SplitSeq(string(raw), `"$ref": "#/components/schemas/`) {
		name, _, _ := strings.Cut(part, `"`)
		if strings.HasPrefix(part, "{") {
			continue
		}
		if s, ok := doc.Components.Schemas[name]; !ok || len(s.Properties)+len(s.OneOf)+len(s.Enum) == 0 {
			t.Errorf("there is no type %s", name)
		}
	}
	anna := w.guest("Anna")
	full := `{"game":"bosk","seats":2,"options":{},"version":1,"pace":"own","bank":86400000,"step":3600000,"night":[60,120],"zone":"Europe/Zurich","undo":"none","visible":"open","watchers":true,"hints":true,"takeOver":false,"standIn":"easy","sides":true}`
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(full), &fields); err != nil {
		t.Fatal(err)
	}
	for name := range doc.Components.Schemas["TableBody"].Properties {
		if fields[name] == nil {
			t.Errorf("the document has a field %s that the test does not", name)
		}
	}
	for name := range fields {
		if _, ok := doc.Components.Schemas["TableBody"].Properties[name]; !ok {
			t.Errorf("the document lacks the field %s", name)
		}
	}
	anna.table(full)
	page := string(w.nobody().ask("GET", "/api/docs", "").is(t, 200).body)
	for _, bad := range []string{"<script", "style=", "http://", "https://", "onclick"} {
		if strings.Contains(page, bad) {
			t.Errorf("the readable document has %q in it, which its policy forbids", bad)
		}
	}
	for id := range rows {
		if !strings.Contains(page, `id="`+id+`"`) {
			t.Errorf("the readable document lacks %s", id)
		}
	}
	w.nobody().ask("GET", "/api/docs.css", "").is(t, 200)
	tag := w.nobody().ask("GET", "/api/docs", "").header.Get("ETag")
	w.nobody().ask("GET", "/api/docs", "", "If-None-Match: "+tag).is(t, 304)
}
