package table

// NewestJudgement is the judgement of tables that are set today. A judgement says
// how a log is judged where two programs could judge it differently. It stands in
// the settings, on the wire as "law", so a log is judged for ever as it was when
// its table was set.
//
// Judgement 1, where the settings name none: a person who returns has at least
// Pace.Back on the clock. Time during which the server was away counts like any
// other. A person who is away is not asked when the game is to go back.
//
// Judgement 2: a person who returns has what was left. A seat whose time ran out
// gets Pace.Back when the turn is over. Time during which the server was away
// counts for nobody: entries ServerAway say when that was. A person who is away is
// asked when the game is to go back, until Pace.Patience is over.
const NewestJudgement = 2

// The judgements since which something holds.
const (
	honestClocks = 2 // returning adds no time, outages count for nobody
	askTheAbsent = 2 // a person who is away is asked when the game is to go back
)

// under tells whether a table's log is judged by this judgement or a later one.
func (t *Table) under(judgement int) bool { return t.settings.Judgement >= judgement }
