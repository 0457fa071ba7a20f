// Package terminal lets people play at a terminal, line by line: against each
// other, or against bots. It works in any terminal, in a pipe and under a screen
// reader, in every language that Copse speaks.
//
// It knows no rule of any game. It asks package game what may be done, what it
// means and why not; how a game looks is in one file a game, behind face.
package terminal

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"copse/game"
	"copse/i18n"
)

// Config says who plays what, and on which screen.
type Config struct {
	Game    game.Game
	Options json.RawMessage // as the game takes them
	Seats   int             // how many play; 0 for as few as the game allows
	Humans  int             // how many of them are people, from the first seat on
	Bot     Bot             // who plays the other seats; nil to play them at random
	Role    string          // the key of what the players of the other seats are called; empty where they play at random
	Lang    string          // as i18n.Pick takes it
	Colour  Colour
	Columns int    // of the window; 0 where they are not known
	Rows    int    // of the window; 0 where they are not known
	Seed    string // where chance and the moves of the other seats come from; a fresh one where it is empty

	// Again is the command, word by word, that plays the game of a seed once more;
	// nil where there is no such command.
	Again func(seed string) []string
}

// Bot finds what the seat to act does, from the record of that seat: its moves up
// to the end of the turn or to chance, one at least. The same seed finds the same
// moves.
type Bot func(now game.Position, seed string) ([]json.RawMessage, error)

// roles are the names of the players of seats that no person plays, besides the
// name of a level.
func roles() []string {
	return []string{randomRole, "play.role.easy", "play.role.greedy", "play.role.ahead", "play.role.reference"}
}

const randomRole = "play.role.random"

// The window that shows the whole table at once, and the narrowest to which lines
// are fitted.
const (
	fullColumns   = 80
	fullRows      = 50
	fewestColumns = 40
)

// lineWidth is how long lines are in a window.
func lineWidth(columns int) int {
	if columns == 0 {
		return fullColumns
	}
	return min(max(columns, fewestColumns), fullColumns)
}

// Play plays until the people have had enough, the input ends or the context is
// done, as it is when somebody interrupts; none of these is an error. An error
// says, in the language asked for, why a game could not begin, or that the output
// can no longer be written.
func Play(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	about := cfg.Game.About()
	s := &session{
		cfg:   cfg,
		about: about,
		desk:  &desk{locale: i18n.Pick(cfg.Lang), colour: cfg.Colour, width: lineWidth(cfg.Columns)},
		in:    newInput(in, ctx.Done()),
		out:   bufio.NewWriter(out),
	}
	s.cfg.Seats = cmp.Or(cfg.Seats, about.MinSeats)
	s.rules = readRulebook(about.Texts, s.locale.Tag())
	s.face = newFace(about.Name, s.desk)
	if cfg.Humans < 0 || cfg.Humans > s.cfg.Seats {
		return errors.New(s.say("play.people", game.Args{"humans": cfg.Humans, "seats": s.cfg.Seats}))
	}
	if s.cfg.Seed == "" {
		s.cfg.Seed = strings.ToLower(rand.Text()[:8])
	}
	err := s.run()
	if errors.Is(err, errEnough) {
		err = nil
	}
	return cmp.Or(err, s.out.Flush())
}

// errEnough ends a session: somebody quits, or the input has ended.
var errEnough = errors.New("enough")

// session is an evening at the terminal: one game after the other.
type session struct {
	*desk
	cfg    Config
	about  game.About
	face   face
	rules  rulebook
	in     input
	out    *bufio.Writer
	game   *sitting
	told   map[game.Seat]int // how many plies each listener has been told
	last   string            // how the game ended, in a line that is kept for the end of the screen
	looker game.Seat         // the seat whose person looks at the screen
	warned bool              // the people were told that forced moves are made for them
}

func (s *session) run() error {
	for number := 1; ; number++ {
		seed := s.cfg.Seed
		if number > 1 {
			seed += "-" + strconv.Itoa(number)
		}
		if err := s.begin(seed); err != nil {
			return err
		}
		if number == 1 {
			s.welcome()
		}
		again, err := s.playOn()
		if !again || err != nil {
			return err
		}
	}
}

func (s *session) begin(seed string) error {
	sitting, err := sit(&s.cfg, seed)
	if err != nil {
		return errors.New(s.why(err))
	}
	s.game, s.told, s.last, s.looker = sitting, map[game.Seat]int{}, "", game.Watcher
	s.seats = s.face.names(sitting.now.See(game.Watcher))
	s.roles = make([]string, s.cfg.Seats)
	for i := range s.roles {
		switch {
		case i >= s.cfg.Humans:
			s.roles[i] = s.say(cmp.Or(s.cfg.Role, randomRole), nil)
		case s.cfg.Humans == 1:
			s.roles[i] = s.say("play.role.you", nil)
		}
	}
	return nil
}

func (s *session) welcome() {
	players := make([]string, len(s.seats))
	for i, seat := range s.seats {
		players[i] = seat
		if s.roles[i] != "" {
			players[i] += " (" + s.roles[i] + ")"
		}
	}
	s.print(s.say("play.welcome", game.Args{"game": s.name(), "players": players}))
	if about := s.say(s.about.Name+".about", nil); about != s.about.Name+".about" {
		s.print(about)
	}
	if s.cfg.Humans == 0 {
		return
	}
	s.print(s.say("play.hint", nil))
	columns, rows := s.cfg.Columns, s.cfg.Rows
	if columns > 0 && columns < fullColumns || rows > 0 && rows < fullRows {
		s.print(s.say("play.window", game.Args{"columns": cmp.Or(columns, fullColumns), "rows": rows}))
	}
}

// name is what the game is called.
func (s *session) name() string {
	if name := s.word(s.about.Name, "name"); name != "name" {
		return name
	}
	return s.about.Name
}

// playOn plays the game to its end, and tells whether another is wanted.
func (s *session) playOn() (again bool, err error) {
	for {
		for !s.game.over() && !s.game.waits() {
			turn, forced := s.game.now.Turn(), s.game.person(s.game.now.ToAct())
			if err := s.game.step(); err != nil {
				return false, fmt.Errorf("a move that the rules listed was refused: %w", err)
			}
			if s.game.now.Turn() != turn || forced {
				s.report()
			}
			if forced && !s.warned {
				s.warned = true
				s.print(s.say("play.forced", nil))
			}
		}
		if s.game.over() {
			s.report()
			s.looker = game.Watcher // what the end left hidden stays hidden
			s.finish()
			if s.cfg.Humans == 0 {
				s.onceMore()
				return false, errEnough
			}
		} else {
			if err := s.handOver(); err != nil {
				return false, err
			}
			s.report()
			s.show(s.game.fresh())
		}
		again, err := s.decide()
		if again || err != nil {
			return again, err
		}
	}
}

// listener is who is told what happens: the person who looks at the screen or, in a
// game without secrets, everybody at once.
func (s *session) listener() game.Seat {
	switch {
	case !s.game.secret:
		return game.Watcher
	case s.cfg.Humans == 1:
		return 0
	}
	return s.looker
}

// viewer is whose view is shown.
func (s *session) viewer() game.Seat {
	if seat := s.game.now.ToAct(); s.game.person(seat) {
		return seat
	}
	return s.listener()
}

// handOver makes sure, in a game with secrets, that only the person who is to
// choose looks at what is shown next.
func (s *session) handOver() error {
	seat, last := s.game.now.ToAct(), s.looker
	if !s.game.secret || s.cfg.Humans == 1 || seat == last {
		s.looker = seat
		return nil
	}
	if s.game.person(last) {
		s.report()
		s.print(s.say("play.clear", nil))
		if err := s.pause(); err != nil {
			return err
		}
		const screen = 60 // more lines than most screens have
		s.write(strings.Repeat("\n", screen))
	}
	s.looker = seat
	s.print(s.say("play.hand-over", game.Args{"seat": seat}))
	return s.pause()
}

// pause waits for Enter.
func (s *session) pause() error {
	typed, _, err := s.ask()
	if command, _ := s.command(typed); err == nil && command == "quit" {
		s.goodbye()
		return errEnough
	}
	return err
}

// scene is what the viewer has before them.
func (s *session) scene(whole bool) *scene {
	viewer := s.viewer()
	sc := &scene{now: s.game.now.See(viewer), since: s.game.since(viewer).See(viewer), whole: whole}
	if s.game.waits() {
		sc.moves = sc.now.Moves()
	}
	return sc
}

// shortMenu is how many moves are shown without being asked for.
const shortMenu = 20

// show shows the table and, where somebody is to choose, the choice.
func (s *session) show(whole bool) {
	sc := s.scene(whole)
	s.print("")
	s.write(s.face.draw(sc) + "\n")
	if n := len(sc.moves); n > 0 && n <= shortMenu {
		s.print("")
		s.write(s.face.menu(sc, "") + "\n")
	}
	s.question(sc)
}

// question says what is to be chosen.
func (s *session) question(sc *scene) {
	s.print("")
	switch {
	case s.game.over():
		s.print(s.say("play.ask.over", nil))
	case len(sc.moves) > 0:
		s.print(s.face.ask(sc))
	}
}

// report tells what has happened since the listener was told last. The line with
// which the game ends is kept for the end of the screen.
func (s *session) report() {
	listener := s.listener()
	from := min(s.told[listener], len(s.game.line))
	s.told[listener] = len(s.game.line)
	var lines []string
	for _, turn := range s.game.heard(from, listener) {
		lines = append(lines, s.face.tell(turn)...)
	}
	if n := len(lines) - 1; s.game.over() && n >= 0 {
		lines, s.last = lines[:n], lines[n]
	}
	for _, line := range lines {
		s.write(wrap(line, s.width, "· ", "  ") + "\n")
	}
}

// decide reads lines until a move is made or taken back, or another game is
// wanted.
func (s *session) decide() (again bool, err error) {
	for {
		typed, fits, err := s.ask()
		if err != nil {
			return false, err
		}
		if !fits {
			s.print(s.say("play.too-long", game.Args{"most": longestLine}))
			continue
		}
		sc := s.scene(true)
		if typed == "" {
			s.question(sc)
			continue
		}
		if r, ok := s.read(sc, typed); ok {
			if r.answer != "" {
				s.print(r.answer)
			} else if s.try(r) {
				return false, nil
			}
			continue
		}
		command, argument := s.command(typed)
		switch command {
		case "":
			s.print(s.say("play.unknown", game.Args{"typed": quote(typed)}))
			s.question(sc)
		case "undo":
			if s.undo() {
				return false, nil
			}
		case "again":
			if s.game.over() {
				s.onceMore()
				return true, nil
			}
			s.print(s.say("play.not-over", nil))
		case "quit":
			s.goodbye()
			return false, errEnough
		default:
			s.obey(command, argument, sc)
		}
	}
}

// read takes what was typed for a move where it looks like one. It answers a number
// that no move has itself.
func (s *session) read(sc *scene, typed string) (reading, bool) {
	if strings.HasPrefix(typed, "{") {
		return reading{moves: []json.RawMessage{json.RawMessage(typed)}}, true
	}
	if strings.Trim(typed, "0123456789") != "" {
		return s.face.read(sc, typed)
	}
	if s.game.over() {
		return reading{answer: s.say("play.list.over", nil)}, true
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > len(sc.moves) {
		return reading{answer: s.say("play.number", game.Args{"number": quote(typed), "most": len(sc.moves)})}, true
	}
	return reading{moves: sc.moves[n-1 : n]}, true
}

// try makes a person's moves, one after the other within their turn, or says why
// one is not allowed. The moves before that one stay.
func (s *session) try(r reading) bool {
	seat, turn := s.game.now.ToAct(), s.game.now.Turn()
	if s.game.over() {
		seat = 0 // the rules answer that the game is over
	}
	var err error
	made := 0
	for made < len(r.moves) && (made == 0 || s.game.now.ToAct() == seat && s.game.now.Turn() == turn) {
		if err = s.game.choose(seat, r.moves[made]); err != nil {
			break
		}
		made++
	}
	if made > 0 {
		s.looker = seat
		s.report()
	}
	if err != nil {
		s.print(s.why(err))
	}
	if len(r.moves) > 1 && made < len(r.moves) {
		s.print(s.say("play.left-out", game.Args{"moves": quote(strings.Join(r.words[made:], " "))}))
	}
	return made > 0
}

// why says why something cannot be done, with the rule that says so.
func (s *session) why(err error) string {
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		return s.say("play.refused", game.Args{
			"why": s.say(refusal.Key, refusal.Args), "rule": refusal.Rule, "command": s.commandName("rule"),
		})
	}
	var fault *game.Fault
	if errors.As(err, &fault) {
		return s.say(fault.Key, fault.Args)
	}
	return err.Error()
}

func (s *session) undo() bool {
	over := s.game.over()
	taken, drawn := s.game.undo()
	if taken == 0 {
		s.print(s.say("play.undo.none", nil))
		return false
	}
	for listener, n := range s.told {
		s.told[listener] = min(n, len(s.game.line))
	}
	// What was seen cannot be unseen. The draw comes again the same, so going back
	// brings no other.
	shown := drawn || over && s.game.secret
	s.print(s.say("play.undo", game.Args{"moves": taken, "seat": s.game.now.ToAct(), "shown": shown}))
	return true
}

// finish shows how the game ended, with the winner last.
func (s *session) finish() {
	sc := s.scene(true)
	sc.since = sc.now
	s.print("")
	s.write(s.face.draw(sc) + "\n")
	s.print("")
	s.ranking(sc.now)
	if s.last != "" {
		s.print("")
		s.print(s.bold(s.last))
	}
	if s.cfg.Humans > 0 {
		s.question(sc)
	}
}

// ranking lists the seats, the first first, with the parts of their scores where a
// line has space for them; the sheet has them in any case.
func (s *session) ranking(view game.Position) {
	standing := view.Standing()
	order := make([]int, len(s.seats))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(standing.Seats[a].Rank, standing.Seats[b].Rank)
	})
	var rows [][]string
	for _, i := range order {
		score := standing.Seats[i]
		parts := make([]string, len(s.about.Parts))
		for j, part := range s.about.Parts {
			parts[j] = s.word(s.about.Name+".part", part) + " " + points(score.Parts[j])
		}
		rows = append(rows, []string{
			strconv.Itoa(int(score.Rank)) + ".", s.seats[i], points(score.Total), strings.Join(parts, ", "), s.roles[i],
		})
	}
	lines := align(rows, 0, 2)
	if widest(lines) > s.width {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 3, 4)
		}
		lines = align(rows, 0, 2)
	}
	s.write(strings.Join(lines, "\n") + "\n")
}

// ask writes the prompt and reads a line. The end of the input and an interrupt end
// the session like quitting does.
func (s *session) ask() (typed string, fits bool, err error) {
	s.write("> ")
	if err := s.out.Flush(); err != nil {
		return "", false, err
	}
	typed, fits, err = s.in.await()
	if errors.Is(err, io.EOF) {
		s.write("\n")
		s.goodbye()
		return "", false, errEnough
	}
	return typed, fits, err
}

func (s *session) goodbye() {
	s.onceMore()
	s.print(s.say("play.goodbye", nil))
}

// onceMore says how to play this game from its beginning: a command to paste, on a
// line that is never broken.
func (s *session) onceMore() {
	if s.cfg.Again != nil {
		s.print("")
		s.print(s.say("play.seed", nil))
		s.write("  " + shellLine(s.cfg.Again(s.game.seed)) + "\n")
	}
}

// print writes a paragraph.
func (s *session) print(text string) { s.write(wrap(text, s.width, "", "") + "\n") }

// write writes. Flushing the output reports what went wrong.
func (s *session) write(text string) { _, _ = s.out.WriteString(text) }
