package gametest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"copse/game"
)

// WriteGames is the environment variable under which [Replay] writes down the
// games that are missing:
//
//	COPSE_WRITE_GAMES=1 go test -run Golden ./games/bosk
const WriteGames = "COPSE_WRITE_GAMES"

const gamesWritten = 3 // for each player count

// Replay replays the games that lie in dir, one a file, and reports every
// difference with file and line. Such a game is played again for ever, in the
// version in which it was written: who is to act, how many moves are legal and
// which, what everyone hears and sees of them, and the standing at the end stay as
// they are. A change that alters them is a new version of the rules; a change of
// names on the wire is not allowed.
//
// With the environment variable [WriteGames] set it first writes the games that are
// missing. It never overwrites a file.
//
// The first line of a file has the settings, every other a ply, the last the
// standing:
//
//	{"game":"tiny","version":1,"seats":2,"options":{}}
//
// of a game with a box also the hash of the box, under "box"; then
//
//	{"seat":0,"move":{"do":"shake"},"legal":2,"list":"5d3c…","seen":"7a01…"}
//	{"seat":"chance","move":{"do":"fall","nut":"walnut"},"legal":3,"list":"0be1…","seen":"c2f8…"}
//	{"standing":{"over":true,"seats":[{"total":9,"parts":{"nuts":9,…},"rank":1},…]}}
//
// where "list" is a digest of the legal moves and "seen" one of the events of
// the move, with those who hear them, and of the views after it, of every seat
// in order and of a watcher, all as JSON.
func Replay[S, M comparable](t *testing.T, def game.Definition[S, M], dir string) {
	t.Helper()
	g := game.Of(def)
	for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
		for n := 1; n <= gamesWritten; n++ {
			path := filepath.Join(dir, fmt.Sprintf("%d-seats-%d.jsonl", seats, n))
			_, err := os.Stat(path)
			switch {
			case err == nil:
			case !errors.Is(err, fs.ErrNotExist):
				t.Fatal(err)
			case os.Getenv(WriteGames) == "":
				t.Errorf("%s is missing: write it with %s=1 go test -run '^%s$'", path, WriteGames, t.Name())
			default:
				text, err := transcript(g, seats, n)
				if err == nil {
					err = writeNew(path, text)
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s is written", path)
			}
		}
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if line, err := replay(g, text); err != nil {
				t.Errorf("%s:%d: %v", path, line, err)
			}
		})
	}
}

// settingsLine is the first line of a written game.
type settingsLine struct {
	Game    string          `json:"game"`
	Version int             `json:"version"`
	Seats   int             `json:"seats"`
	Options json.RawMessage `json:"options"`
	Box     string          `json:"box,omitempty"` // its hash
}

// plyLine is a move, what was legal when it was made, and what was told and shown
// of it.
type plyLine struct {
	Seat  json.RawMessage `json:"seat"`
	Move  json.RawMessage `json:"move"`
	Legal int             `json:"legal"`
	List  string          `json:"list"`
	Seen  string          `json:"seen"`
}

// standingLine is the last line of a written game.
type standingLine struct {
	Standing game.StandingJSON `json:"standing"`
}

// transcript plays a game by fixed seeds and writes it down.
func transcript(g game.Game, seats, number int) ([]byte, error) {
	about := g.About()
	set := game.Settings{Seats: seats, Options: json.RawMessage("{}"), Version: about.Version}
	pos, err := g.Start(set)
	if err != nil {
		return nil, err
	}
	box, err := boxOf(about, set.Options, set.Version)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	err = out.Encode(settingsLine{Game: about.Name, Version: about.Version, Seats: seats, Options: set.Options, Box: box})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(uint64(seats), uint64(number)))
	seed := game.Seed{Secret: fmt.Appendf(nil, "%d-seats-%d", seats, number)}
	for ply, draws := 0, 0; pos.ToAct() != game.None; ply++ {
		if ply >= mostPlies {
			return nil, fmt.Errorf("game %d with %d seats does not end", number, seats)
		}
		list, by := pos.Moves(), pos.ToAct()
		if len(list) == 0 {
			return nil, fmt.Errorf("game %d with %d seats: %v has no move", number, seats, by)
		}
		move := list[rng.IntN(len(list))]
		if by == game.Chance {
			move = pos.Draw(seed, draws)
			draws++
		}
		seat, err := by.MarshalJSON()
		if err != nil {
			return nil, err
		}
		var events []game.Event
		if pos, events, err = pos.Play(by, move); err != nil {
			return nil, err
		}
		seen, err := seenAfter(pos, events)
		if err != nil {
			return nil, err
		}
		if err := out.Encode(plyLine{Seat: seat, Move: move, Legal: len(list), List: digest(list), Seen: digest(seen)}); err != nil {
			return nil, err
		}
	}
	if err := out.Encode(lastLine(about, pos)); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// boxOf is the hash of the box that options ask for in a version of the rules; empty
// for a game without one.
func boxOf(about game.About, options json.RawMessage, version int) (string, error) {
	if about.Box == nil {
		return "", nil
	}
	standard, err := about.ReadBox(json.RawMessage("{}"), version)
	if err != nil {
		return "", err
	}
	raw, err := game.TheBox(game.ReadOptions(options), game.BoxHash(standard))
	if err != nil {
		return "", err
	}
	written, err := about.ReadBox(raw, version)
	return game.BoxHash(written), err
}

// writeNew writes a file that must not exist yet.
func writeNew(path string, text []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(text)
	return err
}

// replay plays a written game again, and gives the line at which it differs.
func replay(g game.Game, text []byte) (line int, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 4*game.LargestBox) // the settings may hold a box
	next := func(v any) error {
		line++
		if !lines.Scan() {
			return fmt.Errorf("the file ends too early")
		}
		return json.Unmarshal(lines.Bytes(), v)
	}
	var settings settingsLine
	if err := next(&settings); err != nil {
		return line, err
	}
	about := g.About()
	if settings.Game != about.Name {
		return line, fmt.Errorf("this is a game of %q, not of %q", settings.Game, about.Name)
	}
	pos, err := g.Start(game.Settings{Seats: settings.Seats, Options: settings.Options, Version: settings.Version})
	if err != nil {
		return line, err
	}
	if box, err := boxOf(about, settings.Options, settings.Version); err != nil || box != settings.Box {
		return line, errors.Join(err, fmt.Errorf("it was played with the box %q, and this is %q", settings.Box, box))
	}
	for pos.ToAct() != game.None {
		var ply plyLine
		if err := next(&ply); err != nil {
			return line, err
		}
		if pos, err = replayPly(pos, ply); err != nil {
			return line, err
		}
	}
	var last json.RawMessage
	if err := next(&last); err != nil {
		return line, err
	}
	now, err := json.Marshal(lastLine(about, pos))
	if err != nil {
		return line, err
	}
	if !bytes.Equal(now, last) {
		return line, fmt.Errorf("the standing was\n%s\nand is\n%s", last, now)
	}
	if lines.Scan() {
		return line + 1, fmt.Errorf("the game is over, but the file goes on")
	}
	return line, lines.Err()
}

func replayPly(pos game.Position, ply plyLine) (game.Position, error) {
	by, ok := game.ParseSeat(ply.Seat)
	if !ok {
		return nil, fmt.Errorf("this is no ply: it has no seat")
	}
	if now := pos.ToAct(); now != by {
		return nil, fmt.Errorf("%v was to act, and %v is", by, now)
	}
	list := pos.Moves()
	if len(list) != ply.Legal {
		return nil, fmt.Errorf("%d moves were legal, and %d are: %s", ply.Legal, len(list), list)
	}
	if now := digest(list); now != ply.List {
		return nil, fmt.Errorf("other moves are legal than were, or in another order (%s, not %s): %s", now, ply.List, list)
	}
	next, events, err := pos.Play(by, ply.Move)
	if err != nil {
		return nil, fmt.Errorf("%s was legal, and is not: %w", ply.Move, err)
	}
	seen, err := seenAfter(next, events)
	if err != nil {
		return nil, err
	}
	if now := digest(seen); now != ply.Seen {
		return nil, fmt.Errorf("something else is told or shown after %s than was (%s, not %s), or under another name: now\n%s",
			ply.Move, now, ply.Seen, seen)
	}
	return next, nil
}

// seenAfter is all that is told of a move, and then what everyone sees.
func seenAfter(pos game.Position, events []game.Event) ([]json.RawMessage, error) {
	told, err := json.Marshal(events)
	if err != nil {
		return nil, err
	}
	seen := []json.RawMessage{told}
	for seat := range game.Seat(pos.Seats()) {
		seen = append(seen, pos.See(seat).View())
	}
	return append(seen, pos.See(game.Watcher).View()), nil
}

// digest is a short hash of a list of JSON texts.
func digest(list []json.RawMessage) string {
	sum := sha256.New()
	for _, text := range list {
		sum.Write(text)
		sum.Write([]byte{'\n'})
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

func lastLine(about game.About, pos game.Position) standingLine {
	standing := pos.Standing()
	return standingLine{Standing: standing.Wire(pos.Seats(), about.Parts)}
}
