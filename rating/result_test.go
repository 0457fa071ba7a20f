package rating

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// person and robot are seats of a finished game.
func person(who string, rank int) FinishedSeat {
	return FinishedSeat{Who: who, Rank: rank, Before: Start()}
}

func robot(level, rank int) FinishedSeat { return FinishedSeat{Level: level, Rank: rank} }

func gone(s FinishedSeat) FinishedSeat {
	s.Gone = true
	return s
}

func early(s FinishedSeat) FinishedSeat {
	s.Gone, s.Early = true, true
	return s
}

func met(s FinishedSeat, who string, times int) FinishedSeat {
	s.Met = map[string]int{who: times}
	return s
}

// TestWhatAGameDoesToRatings is every rule as a case: who sits there with which rank
// in the log, why it is not rated, the ranks that count, and what becomes of each
// rating: + it rises, - it falls, = it stays.
func TestWhatAGameDoesToRatings(t *testing.T) {
	for _, one := range []struct {
		name      string
		abandoned bool
		seats     []FinishedSeat
		why       string
		ranks     []int
		moves     string
	}{
		{"a winner and a loser", false, []FinishedSeat{person("a", 2), person("b", 1)}, Rated, []int{2, 1}, "-+"},
		{"a tie of equals", false, []FinishedSeat{person("a", 1), person("b", 1)}, Rated, []int{1, 1}, "=="},
		{"a bot is an anchor", false, []FinishedSeat{robot(5, 2), person("b", 1)}, Rated, []int{2, 1}, "=+"},
		{"four, two of them shared", false, []FinishedSeat{person("a", 1), person("b", 2), person("c", 2), person("d", 4)}, Rated, []int{1, 2, 2, 4}, "+---"},
		{"whoever is away ranks last though ahead", false, []FinishedSeat{gone(person("a", 1)), person("b", 2), person("c", 3)}, Rated, []int{3, 1, 2}, "-++"},
		{"also behind a bot", false, []FinishedSeat{gone(person("a", 1)), robot(5, 2)}, Rated, []int{2, 1}, "-="},
		{"two who are gone share the last rank", false, []FinishedSeat{gone(person("a", 1)), gone(person("b", 3)), person("c", 2)}, Rated, []int{2, 2, 1}, "--+"},
		{"left in the first round", false, []FinishedSeat{early(person("a", 2)), person("b", 1)}, LeftEarly, nil, ""},
		{"left in the first round, also where the bots won", false, []FinishedSeat{early(person("a", 2)), person("b", 3), robot(5, 1)}, LeftEarly, nil, ""},
		{"abandoned by the only person", true, []FinishedSeat{gone(person("a", 0)), robot(5, 0)}, Rated, []int{2, 1}, "-="},
		{"abandoned by both", true, []FinishedSeat{gone(person("a", 0)), gone(person("b", 0))}, Rated, []int{1, 1}, "=="},
		{"the third game of a day", false, []FinishedSeat{met(person("a", 1), "b", 2), met(person("b", 2), "a", 2)}, Rated, []int{1, 2}, "+-"},
		{"the fourth game of a day", false, []FinishedSeat{met(person("a", 1), "b", 3), met(person("b", 2), "a", 3)}, Rated, []int{1, 2}, "=="},
		{"the fourth counts for a third person", false, []FinishedSeat{met(person("a", 1), "b", 3), met(person("b", 2), "a", 3), person("c", 3)}, Rated, []int{1, 2, 3}, "==-"},
		{"bots are met as often as one likes", false, []FinishedSeat{met(person("a", 1), "", 9), robot(5, 2)}, Rated, []int{1, 2}, "+="},
		{"deleted in the middle", false, []FinishedSeat{gone(person("", 1)), person("b", 2)}, Rated, []int{2, 1}, "=+"},
		{"all were deleted", false, []FinishedSeat{gone(person("", 1)), robot(5, 2)}, NoPerson, nil, ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			r, why := Judge(Finished{Table: "t", Pool: Pool{"nothing", 1, "live"}, Edition: Edition, Abandoned: one.abandoned, Seats: one.seats})
			if why != one.why {
				t.Fatalf("not rated since %q, and should be %q", why, one.why)
			}
			var ranks []int
			moves := ""
			for _, s := range r.Seats {
				ranks = append(ranks, s.Rank)
				switch by := s.After.Mean - s.Before.Mean; {
				case by > 1:
					moves += "+"
				case by < -1:
					moves += "-"
				default:
					moves += "="
				}
			}
			if !reflect.DeepEqual(ranks, one.ranks) || moves != one.moves {
				t.Errorf("ranks %v, ratings %s; should be %v, %s", ranks, moves, one.ranks, one.moves)
			}
		})
	}
}

// TestNobodyWinsAllDayFromTwoWhoHavePlayed has a third person sit down again and again
// with two who have had their three games with each other: also then three count.
func TestNobodyWinsAllDayFromTwoWhoHavePlayed(t *testing.T) {
	seen := map[[2]string]int{}
	counted := map[string]int{}
	play := func(people ...string) {
		f := Finished{Table: "t", Pool: Pool{"nothing", 1, "live"}, Edition: Edition}
		for i, who := range people {
			s := person(who, i+1)
			s.Met = map[string]int{}
			for _, other := range people {
				s.Met[other] = seen[[2]string{who, other}]
			}
			f.Seats = append(f.Seats, s)
		}
		r, why := Judge(f)
		if why != Rated {
			t.Fatal(why)
		}
		for _, m := range Meetings(&r) {
			seen[m]++
			seen[[2]string{m[1], m[0]}]++
		}
		for _, s := range r.Seats {
			if !s.Repeat {
				counted[s.Who]++
			}
		}
	}
	for range 5 {
		play("a", "b")
	}
	for range 20 {
		play("c", "a", "b")
	}
	if counted["a"] != mostRepeats || counted["b"] != mostRepeats || counted["c"] != mostRepeats {
		t.Errorf("so many games counted: %v", counted)
	}
}

// TestResultsAreReplayed: three games in a row check, through JSON too; and whatever is
// changed afterwards is found.
func TestResultsAreReplayed(t *testing.T) {
	pool := Pool{"nothing", 1, "live"}
	now := map[string]Rating{"a": Start(), "b": Start(), "c": Start()}
	play := func(number int64, seats ...FinishedSeat) (Result, *Finished) {
		f := Finished{Table: "t", At: 5, Pool: pool, Edition: Edition, Seats: seats}
		for i, s := range f.Seats {
			if s.Level == 0 {
				f.Seats[i].Before = now[s.Who]
			}
		}
		r, _ := Judge(f)
		r.Number = number
		for _, s := range r.Seats {
			if s.Who != "" {
				now[s.Who] = s.After
			}
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read Result
		if err := json.Unmarshal(raw, &read); err != nil || !reflect.DeepEqual(r, read) {
			t.Fatalf("%+v is read as %+v, %v", r, read, err)
		}
		return read, &f
	}
	var results []Result
	var logs []*Finished
	for n, seats := range [][]FinishedSeat{
		{person("a", 1), person("b", 2)},
		{person("b", 1), person("a", 3), robot(4, 2)},
		{gone(person("a", 1)), person("c", 2), person("b", 3)},
	} {
		r, f := play(int64(n+1), seats...)
		results, logs = append(results, r), append(logs, f)
	}
	check := func(change func([]Result)) (wrong []string) {
		list := make([]Result, len(results))
		for i, r := range results {
			list[i] = r
			list[i].Seats = append([]ResultSeat{}, r.Seats...)
		}
		change(list)
		c := &Checker{}
		for i, r := range list {
			for _, w := range c.Check(r, logs[i]) {
				wrong = append(wrong, fmt.Sprintf("%d: %s", r.Number, w))
			}
		}
		return wrong
	}
	if wrong := check(func([]Result) {}); wrong != nil {
		t.Errorf("good results are called wrong: %q", wrong)
	}
	for name, change := range map[string]func([]Result){
		"missing":   func(l []Result) { l[1].Number = 7 },
		"is rank":   func(l []Result) { l[0].Seats[0].Rank, l[0].Seats[1].Rank = 2, 1 },
		"ends at":   func(l []Result) { l[1].Seats[0].After.Mean += 0.01 },
		"begins at": func(l []Result) { l[2].Seats[1].Before.Mean += 50 },
		"repeat":    func(l []Result) { l[2].Seats[2].Repeat = true },
		"gone":      func(l []Result) { l[2].Seats[0].Gone = false },
		"level":     func(l []Result) { l[1].Seats[2].Level = 5 },
	} {
		if wrong := check(change); !strings.Contains(strings.Join(wrong, "\n"), name) {
			t.Errorf("%s: found is %q", name, wrong)
		}
	}
}
