package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"copse/bot"
	"copse/game"
)

// JudgeConfig says by which games judges are measured.
type JudgeConfig struct {
	Seats    int
	Player   string   // the player in every seat
	Judges   []string // see bot.JudgeOf
	Options  json.RawMessage
	Games    int
	Seed     string  // the same seed brings the same result, on any number of cores
	Opening  int     // turns that are drawn at random; negative for as many as the game needs
	Part     float64 // of the turns at whose beginning they are asked; 1 for all
	Again    int     // how often the game is played on from there to find out what came of it; 0 to take the game itself
	Cores    int     // 0 for all there are
	Progress func(finished int)
}

// Judging is how well judges foretell the end of games. They are asked for every seat
// whenever a turn begins, and see everything. What they say is compared as it is, and
// recalibrated: with a straight line for leads and a logistic curve for wins, fitted by
// phase on every other game and measured on the rest, so that all that counts is what a
// judge knows and not the scale on which it says it. Where games are played on again, what
// came of a position is the mean of those, and Floor is what they leave open, to anybody.
// They are played by the players from there on, also where the game itself was still drawn.
// Everything but Cores and Seconds follows from the seed.
type Judging struct {
	Game        string        `json:"game"`
	Version     int           `json:"version"`
	Seats       int           `json:"seats"`
	Player      string        `json:"player"`
	Seed        string        `json:"seed"`
	Asked       int           `json:"asked"`
	Games       int           `json:"games"`
	Interrupted bool          `json:"interrupted"`
	Part        float64       `json:"part"`
	Again       int           `json:"again"`
	Judges      []JudgeReport `json:"judges"`
	Floor       []JudgeFloor  `json:"floor,omitempty"` // on the same games as what is recalibrated: all phases together, then each; only where games are played on again
	Cores       int           `json:"cores"`
	Seconds     float64       `json:"seconds"`
}

// JudgeReport is how well one judge foretells.
type JudgeReport struct {
	Judge  string       `json:"judge"`
	Raw    []JudgePhase `json:"raw"`          // as it says it: all phases together, then each
	Fitted []JudgePhase `json:"recalibrated"` // on the games that nothing was fitted to
}

// JudgePhase is how well a judge foretells in a part of games.
type JudgePhase struct {
	Phase       string     `json:"phase"`
	Positions   int        `json:"positions"`
	R2          float64    `json:"r2"`      // of the final lead: 1 is all of it, 0 no more than its mean
	Error       float64    `json:"error"`   // mean distance from the final lead, in points
	LogLoss     float64    `json:"logLoss"` // of the win, in nats
	Calibration []JudgeBin `json:"calibration"`
}

// JudgeFloor is about the log loss of whoever knows how likely everybody wins among such
// players: no judge comes below it but by chance. It is estimated from games that were played
// on, and a few hundredths too low where those are few and one of two ends is rare.
type JudgeFloor struct {
	Phase     string  `json:"phase"`
	Positions int     `json:"positions"`
	LogLoss   float64 `json:"logLoss"`
}

// JudgeBin is what came of the seats to which about the same chance was given.
type JudgeBin struct {
	Said  float64 `json:"said"`  // the mean of what was said
	Won   float64 `json:"won"`   // the share that won
	Seats int     `json:"seats"` // how many
}

// phases are the parts of a game: each has a third of its turns.
var phases = []string{"early", "middle", "late"}

// allPhases is what all of them together are called.
const allPhases = "all"

// judged is what the judges said when a turn began.
type judged struct {
	before int            // turns of the game before it
	of     int            // turns of the whole game
	said   [][][2]float64 // by judge, by seat: lead and win
	came   [][2]float64   // by seat, the mean of games that were played on; nil where the game itself tells
}

// listening is a scale that asks judges whenever a turn begins, or in a part of the turns.
type listening[S, M comparable] struct {
	rules  game.Playable[S, M]
	judges []bot.Judge[S]
	s      S
	turn   int        // the last that began; -1 for none
	begun  int        // turns that began
	part   float64    // of the turns in which they are asked
	asked  *rand.Rand // draws those
	said   []judged
	playOn func(p game.Position, turn int) ([][2]float64, error) // plays the game on from where a turn begins; nil where the game itself tells
	p      game.Position                                         // the same as s, where it is played on
	err    error                                                 // the first of playOn
}

func (l *listening[S, M]) hear(by game.Seat, move json.RawMessage) {
	if turn := l.rules.Turn(&l.s); by >= 0 && turn != l.turn {
		l.turn = turn
		if l.asked.Float64() < l.part && l.err == nil {
			l.ask()
		}
		l.begun++
	}
	m, err := l.rules.ReadMove(move)
	if err != nil {
		panic("arena: the rules cannot read their own move: " + err.Error())
	}
	l.rules.Play(&l.s, by, m, nil)
	if l.playOn != nil {
		l.p = must(l.p.Play(by, move))
	}
}

// ask asks all judges, and finds out what comes of the position.
func (l *listening[S, M]) ask() {
	now := judged{before: l.begun}
	for _, judge := range l.judges {
		var out [game.MaxSeats]bot.Foretold
		judge(&l.s, uint64(l.turn), &out)
		seats := make([][2]float64, l.rules.Seats())
		for seat := range seats {
			seats[seat] = [2]float64{short(out[seat].Lead), short(out[seat].Win)}
		}
		now.said = append(now.said, seats)
	}
	if l.playOn != nil {
		now.came, l.err = l.playOn(l.p, l.turn)
	}
	l.said = append(l.said, now)
}

// short is a number with as many digits as are worth keeping.
func short(x float64) float64 { return math.Round(1e4*x) / 1e4 }

func (l *listening[S, M]) weighed() (*weighed, error) {
	for i := range l.said {
		l.said[i].of = l.begun
	}
	return &weighed{judged: l.said}, l.err
}

// playedOn plays a game of a group on from p to its end, so often, and says what came of it
// for each seat on average: lead and win. The name tells it from others of the group.
func (t *tables) playedOn(ctx context.Context, p game.Position, g *group, name string, times int) ([][2]float64, error) {
	seats := len(g.players)
	on := *t
	on.scale, on.opening, on.start[seats] = nil, 0, p
	came := make([][2]float64, seats)
	for k := range times {
		res, err := on.play(ctx, &group{deal: fmt.Sprint(g.deal, " ", name, " ", k), players: g.players, once: true}, 0)
		if err != nil {
			return nil, err
		}
		for seat := range came {
			came[seat][0] += float64(res.lead(seat)) / float64(times)
			came[seat][1] += res.share(seat) / float64(times)
		}
	}
	return came, nil
}

// Judge plays games among players of one kind, and measures how well judges foretell
// their ends.
func (a arena[S, M]) Judge(ctx context.Context, cfg JudgeConfig) (*Judging, error) {
	seats := cfg.Seats
	t, err := newTables(a.game, []string{cfg.Player}, cfg.Options, cfg.Seed, cfg.Opening, seats)
	if err != nil {
		return nil, err
	}
	rules, err := a.def.Rules(game.Settings{Seats: seats, Options: cfg.Options})
	if err != nil {
		return nil, err
	}
	for _, name := range cfg.Judges {
		if _, err := bot.JudgeOf(rules, name); err != nil {
			return nil, err
		}
	}
	sitting := slices.Repeat([]string{cfg.Player}, seats)
	t.scale = func(deal string) scale {
		numbers := game.Seed{Secret: []byte(cfg.Seed), Nonces: [][]byte{[]byte(deal)}}.Numbers(askedNumbers)
		l := &listening[S, M]{rules: rules, s: rules.Start(), turn: -1, part: cfg.Part, asked: rand.New(numbers)}
		for _, name := range cfg.Judges {
			judge, _ := bot.JudgeOf(rules, name) // it was tried before
			l.judges = append(l.judges, judge)
		}
		if cfg.Again > 0 {
			l.p = t.start[seats]
			l.playOn = func(p game.Position, turn int) ([][2]float64, error) {
				return t.playedOn(ctx, p, &group{deal: deal, players: sitting}, fmt.Sprint("from turn ", turn), cfg.Again)
			}
		}
		return l
	}
	r := &run{tables: t, cores: cfg.Cores, progress: cfg.Progress}
	for n := range cfg.Games {
		r.groups = append(r.groups, group{deal: strconv.Itoa(n), players: sitting, once: true})
	}
	begun := time.Now()
	complete, err := r.play(ctx)
	if err != nil {
		return nil, err
	}
	j := &Judging{
		Game: a.def.Name, Version: a.def.Version, Seats: seats, Player: cfg.Player, Seed: cfg.Seed, Asked: cfg.Games, Games: complete, Interrupted: complete < cfg.Games,
		Part: cfg.Part, Again: cfg.Again, Cores: cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0)), Seconds: time.Since(begun).Seconds(),
	}
	for i, name := range cfg.Judges {
		j.Judges = append(j.Judges, report(name, i, r.results[:complete]))
	}
	if cfg.Again > 0 {
		j.Floor = floors(r.results[:complete], cfg.Again)
	}
	return j, nil
}

// phase is the part of the game in which judges were asked.
func (j *judged) phase() int { return len(phases) * j.before / j.of }

// fits tells whether a recalibration is fitted to a game; it is measured on the others.
func fits(number int) bool { return number%2 == 0 }

// floors is what came of positions leaves open, on the games by which what is recalibrated is
// measured: all phases together, then each.
func floors(games []*played, times int) []JudgeFloor {
	list := make([]JudgeFloor, 1+len(phases))
	list[0].Phase = allPhases
	for i, name := range phases {
		list[1+i].Phase = name
	}
	for n, g := range games {
		if fits(n) {
			continue
		}
		for _, turn := range g.Weighed.judged {
			for _, came := range turn.came {
				for _, f := range []*JudgeFloor{&list[0], &list[1+turn.phase()]} {
					f.Positions++
					f.LogLoss += leftOpen(came[1], times)
				}
			}
		}
	}
	for i := range list {
		list[i].LogLoss /= float64(max(list[i].Positions, 1))
	}
	return list
}

// leftOpen is the entropy of a win that came to pass in such a share of so many games. Few
// games look surer than they are: what leaving one of them out changes tells by how much
// (the jackknife).
func leftOpen(share float64, games int) float64 {
	all := float64(games)
	without := share*entropy((share*all-1)/(all-1)) + (1-share)*entropy(share*all/(all-1))
	return max(0, all*entropy(share)-(all-1)*without)
}

// entropy of something that comes to pass in such a share of all cases, in nats.
func entropy(share float64) float64 {
	if share <= 0 || share >= 1 {
		return 0
	}
	return -share*math.Log(share) - (1-share)*math.Log(1-share)
}

// foresight is what a judge said of a seat, and what came of it.
type foresight struct {
	phase     int
	fits      bool // the game is one that a recalibration is fitted to
	lead, win float64
	came, won float64
}

// report measures a judge by games.
func report(name string, judge int, games []*played) JudgeReport {
	var all []foresight
	for n, g := range games {
		for _, turn := range g.Weighed.judged {
			for seat, s := range turn.said[judge] {
				f := foresight{phase: turn.phase(), fits: fits(n), lead: s[0], win: s[1], came: float64(g.lead(seat)), won: g.share(seat)}
				if turn.came != nil {
					f.came, f.won = turn.came[seat][0], turn.came[seat][1]
				}
				all = append(all, f)
			}
		}
	}
	rep := JudgeReport{Judge: name, Raw: byPhase(all)}
	var fitted []foresight
	for phase := range phases {
		var from, to []foresight
		for _, f := range all {
			switch {
			case f.phase != phase:
			case f.fits:
				from = append(from, f)
			default:
				to = append(to, f)
			}
		}
		fitted = append(fitted, recalibrated(from, to)...)
	}
	rep.Fitted = byPhase(fitted)
	return rep
}

// lead is how far a seat was ahead of the best other.
func (p *played) lead(seat int) int {
	best, first := 0, true
	for other, total := range p.Totals {
		if other != seat && (first || total > best) {
			best, first = total, false
		}
	}
	return p.Totals[seat] - best
}

// byPhase measures all phases together, and then each.
func byPhase(all []foresight) []JudgePhase {
	list := []JudgePhase{measured(allPhases, all)}
	for phase, name := range phases {
		list = append(list, measured(name, slices.DeleteFunc(slices.Clone(all), func(f foresight) bool { return f.phase != phase })))
	}
	return list
}

// bins is how many kinds of chances calibration tells apart.
const bins = 10

// surest is how sure a judge is taken to be at most, so that one that was certain and
// wrong does not weigh as much as all others together.
const surest = 0.999

func measured(phase string, list []foresight) JudgePhase {
	m := JudgePhase{Phase: phase, Positions: len(list), Calibration: make([]JudgeBin, bins)}
	if len(list) == 0 {
		return m
	}
	n := float64(len(list))
	mean := 0.0
	for _, f := range list {
		mean += f.came / n
	}
	off, spread := 0.0, 0.0
	for _, f := range list {
		off += (f.came - f.lead) * (f.came - f.lead)
		spread += (f.came - mean) * (f.came - mean)
		m.Error += math.Abs(f.came-f.lead) / n
		p := min(max(f.win, 1-surest), surest)
		m.LogLoss -= (f.won*math.Log(p) + (1-f.won)*math.Log(1-p)) / n
		bin := &m.Calibration[min(int(p*bins), bins-1)]
		bin.Said += p
		bin.Won += f.won
		bin.Seats++
	}
	if spread > 0 {
		m.R2 = 1 - off/spread
	}
	for i := range m.Calibration {
		if bin := &m.Calibration[i]; bin.Seats > 0 {
			bin.Said /= float64(bin.Seats)
			bin.Won /= float64(bin.Seats)
		}
	}
	return m
}

// recalibrated is what a judge would have said in some games, had it used the scale
// that fits others best.
func recalibrated(from, to []foresight) []foresight {
	line := fitLine(from)
	curve := fitCurve(from)
	list := slices.Clone(to)
	for i := range list {
		f := &list[i]
		f.lead, f.win = line[0]+line[1]*f.lead, logistic(curve[0]+curve[1]*logit(f.win)+curve[2]*f.lead)
	}
	return list
}

// fitLine is the straight line that is nearest to the final leads.
func fitLine(list []foresight) [2]float64 {
	var n, x, y, xx, xy float64
	for _, f := range list {
		n, x, y, xx, xy = n+1, x+f.lead, y+f.came, xx+f.lead*f.lead, xy+f.lead*f.came
	}
	if d := n*xx - x*x; n > 1 && d > 1e-9*n*n {
		slope := (n*xy - x*y) / d
		return [2]float64{(y - slope*x) / n, slope}
	}
	return [2]float64{y / max(n, 1), 0}
}

// fitCurve is the logistic curve over the chance and the lead that were foretold which
// is nearest to the wins, by Newton's method; it is held back a little, so that it ends
// where a judge is always right.
func fitCurve(list []foresight) (w [3]float64) {
	const held, most = 1e-3, 30
	for range most {
		var slope [3]float64
		var bend [3][3]float64
		for _, f := range list {
			x := [3]float64{1, logit(f.win), f.lead}
			p := logistic(w[0] + w[1]*x[1] + w[2]*x[2])
			for i := range x {
				slope[i] += (f.won - p) * x[i]
				for j := range x {
					bend[i][j] += p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := range w {
			slope[i] -= held * float64(len(list)) * w[i]
			bend[i][i] += held*float64(len(list)) + 1e-9
		}
		step := solve(bend, slope)
		far := 0.0
		for i := range w {
			w[i] += step[i]
			far = max(far, math.Abs(step[i]))
		}
		if far < 1e-9 {
			break
		}
	}
	return w
}

// solve solves three linear equations; a matrix of fitCurve is never singular.
func solve(a [3][3]float64, b [3]float64) (x [3]float64) {
	for c := range b {
		most := c
		for r := c + 1; r < len(b); r++ {
			if math.Abs(a[r][c]) > math.Abs(a[most][c]) {
				most = r
			}
		}
		a[c], a[most], b[c], b[most] = a[most], a[c], b[most], b[c]
		for r := c + 1; r < len(b); r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < len(b); k++ {
				a[r][k] -= f * a[c][k]
			}
			b[r] -= f * b[c]
		}
	}
	for c := len(b) - 1; c >= 0; c-- {
		x[c] = b[c]
		for k := c + 1; k < len(b); k++ {
			x[c] -= a[c][k] * x[k]
		}
		x[c] /= a[c][c]
	}
	return x
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 {
	p = min(max(p, 1-surest), surest)
	return math.Log(p / (1 - p))
}
