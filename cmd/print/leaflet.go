package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"copse/engine"
	"copse/game"
)

// leaflet is what is printed of a game.
type leaflet struct {
	Info  json.RawMessage            `json:"info"`  // as the engine lists it
	First map[string]json.RawMessage `json:"first"` // by seats: what a watcher sees before anything has happened, with the usual options
	Else  map[string][]variant       `json:"else"`  // by option: what is otherwise with another choice
}

// variant is a choice of an option, and the fields of the first view that are
// otherwise with it, whatever else was chosen and however many play.
type variant struct {
	Choice any            `json:"choice"`
	View   map[string]any `json:"view"`
}

// view is a first view, field by field.
type view = map[string]any

// leafletOf asks an engine about a game.
func leafletOf(g game.Game) (*leaflet, error) {
	about := g.About()
	asked := teller{engine.New(g), about.Name}
	var listed struct{ Games []json.RawMessage }
	if err := asked.ask(map[string]any{"do": "games"}, &listed); err != nil {
		return nil, err
	}
	s := &leaflet{Info: listed.Games[0], First: map[string]json.RawMessage{}, Else: map[string][]variant{}}
	usual := map[int]view{}
	for seats := about.MinSeats; seats <= about.MaxSeats; seats++ {
		first, err := asked.first(seats, nil)
		if err != nil {
			return nil, err
		}
		usual[seats] = first
		if s.First[strconv.Itoa(seats)], err = json.Marshal(first); err != nil {
			return nil, err
		}
	}
	for _, o := range about.Options {
		for _, choice := range choices(o) {
			first, err := asked.first(about.MinSeats, map[string]any{o.Name: choice})
			if err != nil {
				return nil, err
			}
			s.Else[o.Name] = append(s.Else[o.Name], variant{choice, changes(usual[about.MinSeats], first)})
		}
	}
	return s, s.holds(asked, about, usual)
}

// choices are what an option can be besides what it usually is. A box, or words,
// may change anything: a game with others than the usual ones waits for its
// engine.
func choices(o game.Option) []any {
	var list []any
	switch o.Kind {
	case "flag":
		list = []any{true, false}
	case "number":
		for _, n := range o.Choices.([]int) {
			list = append(list, n)
		}
	}
	return slices.DeleteFunc(list, func(choice any) bool { return reflect.DeepEqual(choice, o.Default) })
}

// changes are the fields of a view that are otherwise than usually.
func changes(usual, now view) view {
	list := view{}
	for name, value := range now {
		if !reflect.DeepEqual(usual[name], value) {
			list[name] = value
		}
	}
	return list
}

// holds makes sure that what is printed is true of all choices at once and of
// any number of seats.
func (s *leaflet) holds(asked teller, about game.About, usual map[int]view) error {
	chosen := []map[string]any{{}}
	want := []view{{}}
	for _, option := range slices.Sorted(maps.Keys(s.Else)) {
		for i := range chosen {
			for _, v := range s.Else[option] {
				options, fields := maps.Clone(chosen[i]), maps.Clone(want[i])
				options[option] = v.Choice
				for name, value := range v.View {
					if _, twice := fields[name]; twice {
						return fmt.Errorf("%s is changed by %v and by another option", name, option)
					}
					fields[name] = value
				}
				chosen, want = append(chosen, options), append(want, fields)
			}
		}
	}
	for seats := about.MinSeats; seats <= about.MaxSeats; seats++ {
		for i, options := range chosen {
			got, err := asked.first(seats, options)
			if err != nil {
				return err
			}
			expected := maps.Clone(usual[seats])
			maps.Copy(expected, want[i])
			if !reflect.DeepEqual(got, expected) {
				return fmt.Errorf("with %d seats and %v the first view is otherwise than printed: %v", seats, options, changes(expected, got))
			}
		}
	}
	return nil
}

// teller asks an engine about one game.
type teller struct {
	engine *engine.Engine
	game   string
}

// first is what a watcher sees before anything has happened.
func (t teller) first(seats int, options map[string]any) (view, error) {
	if options == nil {
		options = map[string]any{}
	}
	if err := t.ask(map[string]any{"do": "new", "game": t.game, "seats": seats, "options": options, "chance": "manual"}, nil); err != nil {
		return nil, err
	}
	var answer struct{ View view }
	return answer.View, t.ask(map[string]any{"do": "view", "seat": "watcher"}, &answer)
}

func (t teller) ask(request map[string]any, into any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	answer := t.engine.Answer(line)
	var ok struct{ OK bool }
	if err := json.Unmarshal(answer, &ok); err != nil || !ok.OK {
		return fmt.Errorf("%s is answered by %s", line, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
