// Package clients plays by a client that oapi-codegen has made of the OpenAPI document
// alone. `make interop-api` makes the client and runs a server for it.
package clients

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/tools/clients/api"
)

// player is somebody who plays by the generated client.
type player struct {
	*testing.T
	api *api.ClientWithResponses
	rng *mathrand.Rand
}

func newPlayer(t *testing.T, token string) *player {
	t.Helper()
	url := os.Getenv("COPSE_URL")
	if url == "" {
		t.Fatal("COPSE_URL names no server: make interop-api runs one")
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := api.NewClientWithResponses(url, api.WithHTTPClient(&http.Client{Jar: jar}), api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return &player{t, client, mathrand.New(mathrand.NewPCG(1, 2))}
}

// must is what was answered, where it was answered well.
func must[T any](t *testing.T, good *T, err error, body []byte) *T {
	t.Helper()
	if err != nil || good == nil {
		t.Fatalf("%v: %.500s", err, body)
	}
	return good
}

func random(bytes int) string {
	raw := make([]byte, bytes)
	_, _ = rand.Read(raw) // it never fails
	return hex.EncodeToString(raw)
}

func ptr[T any](v T) *T { return &v }

// TestAClientInGoPlaysWholeGames plays every game that the server has against a bot,
// by what the stream tells, and exports it.
func TestAClientInGoPlaysWholeGames(t *testing.T) {
	p := newPlayer(t, "")
	become, err := p.api.BecomeWithResponse(t.Context(), api.NameBody{Name: "Gopher"})
	if me := must(t, become.JSON201, err, become.Body); !me.SignedIn || me.Name == nil || *me.Name != "Gopher" {
		t.Errorf("I am %+v", me)
	}
	games, err := p.api.GamesWithResponse(t.Context())
	list := must(t, games.JSON200, err, games.Body).Games
	if len(list) != 3 {
		t.Errorf("there are %d games", len(list))
	}
	for _, game := range list {
		t.Run(game.Name, func(t *testing.T) {
			p := *p
			p.T = t
			p.play(game.Name)
		})
	}
}

// play plays a game to its end.
func (p *player) play(game string) {
	ctx := p.Context()
	created, err := p.api.CreateWithResponse(ctx, api.TableBody{Game: game, Seats: 2, Visible: ptr(api.VisiblePrivate), Watchers: ptr(false), Pace: ptr(api.PaceNameDays), Undo: ptr(api.UndoConsent)})
	id := must(p.T, created.JSON201, err, created.Body).Table
	sat, err := p.api.SitWithResponse(ctx, id, &api.SitParams{IdempotencyKey: ptr(random(8))}, api.SitBody{Nonce: random(16)})
	must(p.T, sat.JSON200, err, sat.Body)
	p.refused(id)
	started, err := p.api.StartWithResponse(ctx, id, &api.StartParams{}, api.StartBody{Fill: ptr(api.PlayerEasy)})
	must(p.T, started.JSON200, err, started.Body)

	turns, last := 0, ""
	for again := true; again; { // the line breaks once, and goes on where it was
		again, last = p.follow(id, last, &turns)
	}
	sheet, err := p.api.SheetWithResponse(ctx, id)
	if standing := must(p.T, sheet.JSON200, err, sheet.Body).Standing; !standing.Over || len(standing.Seats) != 2 || standing.Seats[0].Total == nil {
		p.Errorf("the score is %+v", standing)
	}
	said, err := p.api.SayWithResponse(ctx, id, &api.SayParams{}, api.SayBody{Phrase: ptr(api.SayingWellPlayed)})
	must(p.T, said.JSON201, err, said.Body)
	p.export(id)
	p.Logf("%s: %d drafts", game, turns)
}

// refused does what cannot be done, and hears why.
func (p *player) refused(id string) {
	ctx := p.Context()
	early, err := p.api.ExportWithResponse(ctx, id)
	if problem := must(p.T, early.ApplicationproblemJSON409, err, early.Body); problem.Key != "table.export" || problem.Status != 409 || problem.Title == "" {
		p.Errorf("an early export is answered by %+v", problem)
	}
	bad, err := p.api.SitWithResponse(ctx, id, &api.SitParams{}, api.SitBody{Nonce: "short"})
	if problem := must(p.T, bad.ApplicationproblemJSON400, err, bad.Body); problem.Key != "table.nonce" {
		p.Errorf("a short nonce is answered by %+v", problem)
	}
	none, err := p.api.LookWithResponse(ctx, "nosuchtable0")
	must(p.T, none.ApplicationproblemJSON404, err, none.Body)
	form, err := p.api.StartWithBodyWithResponse(ctx, id, &api.StartParams{}, "text/plain", strings.NewReader("{}"))
	must(p.T, form.ApplicationproblemJSON415, err, form.Body)
}

// breaks is after how many drafts the line breaks once.
const breaks = 5

// follow listens from an event on and moves where it is this player's turn. It tells
// whether the line broke, and the last event.
func (p *player) follow(id, last string, turns *int) (again bool, _ string) {
	params := &api.StreamParams{Table: &[]string{id}, Mine: ptr(true)}
	if last != "" {
		params.LastEventID = &last
	}
	answer, err := p.api.Stream(p.Context(), params)
	if err != nil || answer.StatusCode != http.StatusOK {
		p.Fatalf("the stream is answered %+v, %v", answer, err)
	}
	defer func() { _ = answer.Body.Close() }()
	resumed, number := last != "", int64(-1)
	for lines := bufio.NewReader(answer.Body); ; {
		event := p.next(lines)
		var toAct []api.Actor
		over := false
		switch e := event.(type) {
		case api.StreamLook:
			if resumed {
				p.Error("the table is shown anew to who goes on")
			}
			last, number, toAct, over = e.Id, e.Data.Look.Number, e.Data.Look.ToAct, e.Data.Look.People.Phase == api.PhaseOver
		case api.StreamEntry:
			if number >= 0 && e.Data.Number != number+1 {
				p.Errorf("after entry %d comes %d", number, e.Data.Number)
			}
			last, number, toAct = e.Id, e.Data.Number, e.Data.ToAct
			over = e.Data.People != nil && e.Data.People.Phase == api.PhaseOver
		case api.StreamMine:
			if e.Data.Table != id && e.Data.Phase == "" {
				p.Errorf("my list says %+v", e.Data)
			}
		}
		if over {
			return false, last
		}
		if len(toAct) == 0 {
			continue
		}
		if seat, err := toAct[0].AsActor0(); err != nil || seat != 0 { // chance, or the bot
			continue
		}
		p.move(id)
		if *turns++; *turns == breaks {
			return true, last
		}
	}
}

// next is the next event of a stream, as the document describes it.
func (p *player) next(lines *bufio.Reader) any {
	fields := map[string]any{}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			p.Fatalf("the stream ends: %v", err)
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case name == "data":
			fields[name] = json.RawMessage(value)
		case name != "" && name != "retry":
			fields[name] = value
		case fields["event"] != nil:
			raw, err := json.Marshal(fields)
			if err != nil {
				p.Fatal(err)
			}
			var event api.StreamEvent
			if err := json.Unmarshal(raw, &event); err != nil {
				p.Fatal(err)
			}
			told, err := event.ValueByDiscriminator()
			if err != nil {
				p.Fatalf("%v: %s", err, raw)
			}
			return told
		}
	}
}

// move makes any move. What has overtaken it in between comes by the stream.
func (p *player) move(id string) {
	may, err := p.api.MovesWithResponse(p.Context(), id, &api.MovesParams{Facts: ptr(true)})
	now := must(p.T, may.JSON200, err, may.Body)
	if len(now.Moves) == 0 || now.Facts == nil || len(*now.Facts) != len(now.Moves) {
		p.Fatalf("I may do %s", may.Body)
	}
	params, body := &api.PlayParams{IdempotencyKey: ptr(random(8))}, api.PlayBody{After: now.After, Moves: []any{now.Moves[p.rng.IntN(len(now.Moves))]}}
	for range 2 { // twice under the same key is once
		played, err := p.api.PlayWithResponse(p.Context(), id, params, body)
		if done := must(p.T, played.JSON200, err, played.Body); done.Number <= now.After {
			p.Errorf("a move after %d is entry %d", now.After, done.Number)
		}
	}
}

// export has the binary verify what the server exports.
func (p *player) export(id string) {
	got, err := p.api.ExportWithResponse(p.Context(), id)
	if err != nil || got.StatusCode() != http.StatusOK || got.HTTPResponse.Header.Get("Content-Type") != "application/jsonl" {
		p.Fatalf("the export is answered %v, %v", got, err)
	}
	file := filepath.Join(p.TempDir(), "game.jsonl")
	if err := os.WriteFile(file, got.Body, 0o600); err != nil {
		p.Fatal(err)
	}
	if said, err := exec.CommandContext(p.Context(), os.Getenv("COPSE"), "verify", file).CombinedOutput(); err != nil {
		p.Fatalf("%v: %s", err, said)
	}
}

// TestAProgramInGo: a token is all that a program needs.
func TestAProgramInGo(t *testing.T) {
	owner := newPlayer(t, "")
	become, err := owner.api.BecomeWithResponse(t.Context(), api.NameBody{Name: "Owner"})
	must(t, become.JSON201, err, become.Body)
	made, err := owner.api.AddProgramWithResponse(t.Context(), api.NameBody{Name: "Pruner"})
	program := must(t, made.JSON201, err, made.Body)
	if program.State != api.ProgramStateGood || program.Token == nil || program.Until == nil {
		t.Fatalf("the program is %+v", program)
	}
	p := newPlayer(t, *program.Token)
	me, err := p.api.MeWithResponse(t.Context())
	if who := must(t, me.JSON200, err, me.Body); who.Program == nil || !*who.Program || *who.Until != *program.Until {
		t.Errorf("the program is %s", me.Body)
	}
	cannot, err := p.api.AddProgramWithResponse(t.Context(), api.NameBody{Name: "Twig"})
	must(t, cannot.ApplicationproblemJSON403, err, cannot.Body)
	bad, err := newPlayer(t, "copse_rubbish").api.MeWithResponse(t.Context())
	must(t, bad.ApplicationproblemJSON401, err, bad.Body)
	gone, err := owner.api.DropProgramWithResponse(t.Context(), program.Program)
	if err != nil || gone.StatusCode() != http.StatusNoContent {
		t.Errorf("%v, %v", gone, err)
	}
}
