package load

import (
	"cmp"
	"slices"
	"time"
)

// Figures are what was measured.
type Figures struct {
	Tables  int     `json:"tables"`
	Rate    float64 `json:"rate"` // asked for, at each table; 0 for as fast as it goes
	Seconds float64 `json:"seconds"`

	Moves          int     `json:"moves"`
	MovesPerSecond float64 `json:"movesPerSecond"`
	P50            float64 `json:"p50"` // milliseconds from sending a move to the other player's event
	P90            float64 `json:"p90"`
	P99            float64 `json:"p99"`
	Most           float64 `json:"most"`

	ServerCPU float64 `json:"serverCPU"` // microseconds a move
	StoreCPU  float64 `json:"storeCPU"`  // likewise, of the database beside it; 0 where there is none, or that is not measured
	ClientCPU float64 `json:"clientCPU"` // likewise, of the load itself
	Taken     float64 `json:"taken"`     // bytes of the server's heap that a move takes, for a while or longer
	Heap      float64 `json:"heap"`      // bytes a table, with two streams
	Stack     float64 `json:"stack"`     // likewise
	Event     float64 `json:"event"`     // bytes of what a player is told of a move

	AppendP50 float64 `json:"appendP50"` // milliseconds until an append was synced, about; 0 where that is not told
	Appends   float64 `json:"appends"`   // a move
	Conflicts float64 `json:"conflicts"` // of 100 appends, refused because another node was quicker

	Games  int      `json:"games"`  // that ended
	Lines  int      `json:"lines"`  // connections that moves were sent through
	Late   int      `json:"late"`   // moves that were sent a whole beat late
	Errors int      `json:"errors"` // of any kind
	Faults []string `json:"faults"` // the first of them
}

// figures sums up.
func (r *run) figures(all []*sitting, w window) *Figures {
	f := &Figures{Tables: r.Tables, Rate: r.Rate, Seconds: w.to.Sub(w.from).Seconds(), Errors: r.errors, Faults: append([]string{}, r.faults...)}
	for _, door := range r.doors {
		f.Lines += door.all
	}
	took, bytes, heard := []time.Duration{}, int64(0), int64(0)
	for _, s := range all {
		for _, m := range s.moves {
			if end := m.sent.Add(m.took); !end.Before(w.from) && !end.After(w.to) {
				took = append(took, m.took)
			}
		}
		f.Games, f.Late = f.Games+s.games, f.Late+s.late
		bytes, heard = bytes+s.bytes, heard+s.heard
	}
	slices.Sort(took)
	f.Moves, f.AppendP50 = len(took), 1000*middle(w.spans)
	f.P50, f.P90, f.P99, f.Most = quantile(took, 0.5), quantile(took, 0.9), quantile(took, 0.99), quantile(took, 1)
	if f.Moves > 0 {
		f.MovesPerSecond = float64(f.Moves) / f.Seconds
		f.ServerCPU, f.ClientCPU = w.server*1e6/float64(f.Moves), w.client*1e6/float64(f.Moves)
		f.Taken = w.taken / float64(f.Moves)
		f.StoreCPU, f.Appends = w.beside*1e6/float64(f.Moves), w.appends/float64(f.Moves)
		f.Conflicts = 100 * w.conflicts / max(w.appends, 1)
		f.Event = float64(bytes) / float64(cmp.Or(heard, 1))
	}
	return f
}

// quantile is what a share of sorted times is not above, in milliseconds.
func quantile(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(share * float64(len(sorted)))
	return float64(sorted[min(i, len(sorted)-1)]) / float64(time.Millisecond)
}

// perTable is how much more there is, for each table.
func perTable(before, after uint64, tables int) float64 {
	return (float64(after) - float64(before)) / float64(tables)
}
