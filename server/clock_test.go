package server_test

import (
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
)

// TestCodesAndSessionsKeepHouseTime: setting the clock of the machine back makes
// nothing last longer.
func TestCodesAndSessionsKeepHouseTime(t *testing.T) {
	var back, mono atomic.Int64
	w := newWorld(t, func(ho *hall.Options, _ *server.Options) {
		ho.Now = func() time.Time { return dawn.Add(time.Duration(mono.Load() - back.Load())) }
		ho.Mono = func() time.Duration { return time.Duration(mono.Load()) }
	})
	pass := func(d time.Duration) { // while the house is at work
		mono.Add(int64(d))
		if _, err := w.db.Beat(t.Context(), dawn.Add(time.Duration(mono.Load())), 1<<63-1); err != nil {
			t.Fatal(err)
		}
		if err := w.hall.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	anna := w.guest("Anna")
	var made struct {
		Code  string
		Until int64
	}
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	if want := dawn.Add(10 * time.Minute).UnixMilli(); made.Until != want {
		t.Errorf("the code is good until %d, want %d", made.Until, want)
	}
	back.Store(int64(30 * 24 * time.Hour))
	pass(11 * time.Minute)
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).refuses(t, 409, "server.code")
	anna.ask("GET", "/api/me/tables", "").is(t, 200)
	pass(401 * 24 * time.Hour)
	anna.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
}

// TestNobodyChoosesTheJudgement: a table has the newest judgement, and says so.
func TestNobodyChoosesTheJudgement(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2,"law":1}`).refuses(t, 400, "json.unknown")
	id := anna.table(`{"game":"bosk","seats":2}`)
	var seen struct {
		Look struct{ Settings struct{ Law int } }
	}
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
	if seen.Look.Settings.Law != 2 {
		t.Errorf("it has judgement %d", seen.Look.Settings.Law)
	}
	var games struct {
		Paces []struct{ Name, Patience any }
		Own   map[string]float64
	}
	w.nobody().ask("GET", "/api/games", "").is(t, 200).read(t, &games)
	for i, want := range []float64{10 * 60_000, 60 * 60_000, 3 * 24 * 60 * 60_000} {
		if games.Paces[i].Patience != want {
			t.Errorf("at the pace %v patience is %v, want %v", games.Paces[i].Name, games.Paces[i].Patience, want)
		}
	}
	if want := (map[string]float64{"leastBank": 60_000, "mostBank": 14 * 86_400_000, "mostStep": 7 * 86_400_000, "near": 3_600_000, "rest": 86_400_000}); !maps.Equal(games.Own, want) {
		t.Errorf("a pace of one's own is within %v, want %v", games.Own, want)
	}
}

// TestAPaceOfOnesOwn is told where tables are told of, and refused with a reason.
func TestAPaceOfOnesOwn(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2,"pace":"own","bank":1200000,"step":0,"visible":"open"}`)
	type settings struct {
		Pace       string
		Bank, Step *int
	}
	tells := func(set settings) {
		t.Helper()
		if set.Pace != "own" || set.Bank == nil || *set.Bank != 1200000 || set.Step == nil || *set.Step != 0 {
			t.Errorf("the table has %+v", set)
		}
	}
	var seen struct{ Look struct{ Settings settings } }
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
	tells(seen.Look.Settings)
	var list struct{ Tables []struct{ Settings settings } }
	anna.ask("GET", "/api/tables", "").is(t, 200).read(t, &list)
	tells(list.Tables[0].Settings)
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2,"pace":"own","bank":1000,"step":0}`).refuses(t, 400, "table.bank")
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2,"pace":"own","bank":60000,"step":1}`).refuses(t, 400, "table.step")
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2,"pace":"evening","bank":60000}`).refuses(t, 400, "table.pace.named")
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2,"pace":"own","bank":60000}`).refuses(t, 400, "json.missing")
}
