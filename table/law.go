package table

// NewestLaw is the law of tables that are set today. A law says how a log is
// judged where two programs could judge it differently. It stands in the settings,
// so a log is judged for ever as it was when its table was set.
//
// Law 1, where the settings name none: who returns has at least Pace.Back on the
// clock. Time during which the server was away counts like any other. Who is away
// is not asked when the game is to go back.
//
// Law 2: who returns has what was left. Who ran out of time gets Pace.Back when the
// turn is over. Time during which the server was away counts for nobody: entries
// ServerAway say when that was. Who is away is asked too when the game is to go
// back, until Pace.Patience is over.
const NewestLaw = 2

// The laws that brought something new.
const (
	honestClocks = 2 // no gift for who returns, outages count for nobody
	askTheAbsent = 2 // who is away is asked when the game is to go back
)

// under tells whether a table's log is judged by this law or a later one.
func (t *Table) under(law int) bool { return t.settings.Law >= law }
