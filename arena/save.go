package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"copse/game"
)

// settings are all that decides how the games of a run go; they are the header of
// its file. How many games are played, on how many cores, what counts as late and
// when it is settled are not among them: a file serves for more games, and for
// another question.
type settings struct {
	Copse      string          `json:"copse"`  // what kind of run: match, ladder or balance
	Format     int             `json:"format"` // of this file
	Game       string          `json:"game"`
	Version    int             `json:"version"`
	Options    json.RawMessage `json:"options"`
	Seats      []int           `json:"seats"`
	Players    []string        `json:"players"`
	Minds      string          `json:"minds,omitempty"` // by what levels play here; see bot.Minds
	References int             `json:"references"`
	Seed       string          `json:"seed"`
	Opening    int             `json:"opening"` // turns drawn at random; -1 for as many as the game needs

	weighs bool // more than the result of every game is counted
	things int  // for how many things it is counted,
	combos int  // and for how many combinations of them
}

const saveFormat = 1

// save is a file to which every finished game is added, one line of JSON each,
// after a first line with the settings. A line is never written over.
type save struct {
	file  *os.File
	games []*played // those that were there
}

// openSave opens a file to go on from, or begins it. It cuts off a last line that
// was not written to its end.
func openSave(path string, set settings) (*save, error) {
	if path == "" {
		return nil, nil
	}
	set.Format = saveFormat
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	games, whole, err := readSave(raw, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	s := &save{file: file, games: games}
	if err = file.Truncate(int64(whole)); err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err == nil && whole == 0 {
		err = s.write(set)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

// readSave reads the games of a file and says how much of it is whole lines.
// Nothing in it is trusted.
func readSave(raw []byte, set settings) (games []*played, whole int, err error) {
	for line := 1; ; line++ {
		end := bytes.IndexByte(raw[whole:], '\n')
		if end < 0 {
			return games, whole, nil
		}
		text := raw[whole : whole+end]
		if line == 1 {
			err = set.same(text)
		} else {
			var p played
			if err = json.Unmarshal(text, &p); err == nil {
				err = p.check(set)
			}
			games = append(games, &p)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", line, err)
		}
		whole += end + 1
	}
}

// same says in what a saved header differs.
func (set settings) same(raw []byte) error {
	var says, want map[string]json.RawMessage
	if err := json.Unmarshal(raw, &says); err != nil || says["copse"] == nil {
		return errors.New("this is no file of saved games; name another with --save")
	}
	own, err := json.Marshal(set)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(own, &want); err != nil {
		return err
	}
	for _, field := range []string{"copse", "format", "game", "version", "options", "seats", "players", "references", "seed", "opening"} {
		if string(says[field]) != string(want[field]) {
			return fmt.Errorf("its games were played with other settings: %s is %s there and %s here; give the same settings, or name another file with --save",
				field, says[field], want[field])
		}
	}
	if string(says["minds"]) != string(want["minds"]) {
		return errors.New("its games were played by other levels: they have changed since, or other nets are there; name another file with --save")
	}
	return nil
}

// check makes sure that a game read from a file can be counted.
func (p *played) check(set settings) error {
	seats := len(p.Totals)
	if !slices.Contains(set.Seats, seats) || len(p.Ranks) != seats || len(p.Turns) != seats || p.Cut != nil && len(p.Cut) != seats {
		return errors.New("this is no game of these tables")
	}
	if p.Rotation < 0 || p.Rotation >= seats || !slices.Contains(p.Ranks, 1) || slices.Min(p.Ranks) < 1 || slices.Max(p.Ranks) > seats {
		return errors.New("this is no game that can be counted")
	}
	for _, total := range p.Totals {
		if total != int(game.Points(total)) {
			return errors.New("this is no game that can be counted")
		}
	}
	if set.weighs && !p.Weighed.fits(seats, set.things, set.combos) {
		return errors.New("this is no game that was weighed like these")
	}
	return nil
}

// restore gives a run what was played of it already.
func (s *save) restore(r *run) {
	byDeal := make(map[string]int, len(r.groups))
	for i := range r.groups {
		byDeal[r.groups[i].deal] = i
	}
	for _, p := range s.games {
		g, ok := byDeal[p.Deal]
		if ok && len(r.groups[g].players) == len(p.Totals) && p.Rotation < r.groups[g].rotations() {
			r.results[r.first[g]+p.Rotation] = p
		}
	}
	s.games = nil
}

// add adds a finished game.
func (s *save) add(p *played) error { return s.write(p) }

func (s *save) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// close closes the file; nil has none.
func (s *save) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}
