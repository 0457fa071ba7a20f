package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"copse/game"
)

func lawTypes[S, M comparable](*table[S, M]) error {
	if err := plain(reflect.TypeFor[S](), "position"); err != nil {
		return err
	}
	return plain(reflect.TypeFor[M](), "move")
}

// plain makes sure that values of a type are nothing but integers side by side.
func plain(t reflect.Type, path string) error {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Array:
		return plain(t.Elem(), path+"[]")
	case reflect.Struct:
		end := uintptr(0)
		for field := range t.Fields() {
			if field.Offset != end {
				return fmt.Errorf("%s has %d bytes of padding before %s", path, field.Offset-end, field.Name)
			}
			end += field.Type.Size()
			if err := plain(field.Type, path+"."+field.Name); err != nil {
				return err
			}
		}
		if end != t.Size() {
			return fmt.Errorf("%s has %d bytes of padding at its end", path, t.Size()-end)
		}
		return nil
	}
	return fmt.Errorf("%s is a %v (%v)", path, t.Kind(), t)
}

func lawSettings[S, M comparable](t *table[S, M]) error {
	rules, err := t.def.New(t.set.Seats, t.set.Options, t.set.Version)
	if err != nil {
		return fmt.Errorf("there are no rules: %w", err)
	}
	t.rules = rules
	if n := rules.Seats(); n != t.set.Seats {
		return fmt.Errorf("rules for %d seats say that they have %d", t.set.Seats, n)
	}
	if len(t.def.Parts) > game.MaxParts || t.def.MinSeats < game.MinSeats || t.def.MaxSeats > game.MaxSeats {
		return fmt.Errorf("%d to %d seats and %d parts of a score are more or fewer than any game has", t.def.MinSeats, t.def.MaxSeats, len(t.def.Parts))
	}
	for _, none := range []game.Settings{
		{Seats: t.def.MinSeats - 1}, {Seats: t.def.MaxSeats + 1}, {Seats: -1},
		{Seats: t.set.Seats, Version: -1}, {Seats: t.set.Seats, Version: t.def.Version + 1},
	} {
		var fault *game.Fault
		if _, err := t.def.Rules(none); !errors.As(err, &fault) {
			return fmt.Errorf("there are rules for %+v", none)
		}
	}
	said := map[string]bool{}
	for _, phrase := range t.def.Phrases {
		if said[phrase.Key] {
			return fmt.Errorf("%q is declared twice", phrase.Key)
		}
		said[phrase.Key] = true
	}
	if _, err := t.def.New(t.set.Seats, nil, t.set.Version); err != nil {
		return fmt.Errorf("there are no rules without options: %w", err)
	}
	for _, options := range []string{"[]", "1", `"x"`, "{", `{"nobody chose":true}`, `{"a":1,"a":2}`, "\x00"} {
		if err := t.settingsFault(options); err != nil {
			return err
		}
	}
	for _, o := range t.def.Options {
		usual, err := json.Marshal(o.Default)
		if err != nil {
			return fmt.Errorf("the default of option %s cannot be written: %w", o.Name, err)
		}
		if _, err := t.def.New(t.set.Seats, fmt.Appendf(nil, "{%q:%s}", o.Name, usual), t.set.Version); err != nil {
			return fmt.Errorf("the default of option %s is not taken: %w", o.Name, err)
		}
		for _, value := range []string{"-7", `"no such choice"`, "[[]]", `{"nobody wrote":1}`} {
			if err := t.settingsFault(fmt.Sprintf("{%q:%s}", o.Name, value)); err != nil {
				return err
			}
		}
	}
	if t.def.Box == nil {
		return nil
	}
	standard, err := t.def.Box(json.RawMessage("{}"))
	if err != nil {
		return fmt.Errorf("the box that comes with Copse is not taken: %w", err)
	}
	again, err := t.def.Box(standard)
	if err != nil {
		return fmt.Errorf("a box in its one written form is not taken: %w", err)
	}
	if !bytes.Equal(standard, again) {
		return fmt.Errorf("a box in its one written form is written otherwise: %s and %s", standard, again)
	}
	return nil
}

// settingsFault makes sure that New does not take these options.
func (t *table[S, M]) settingsFault(options string) error {
	return calmly(func() error {
		_, err := t.def.New(t.set.Seats, json.RawMessage(options), t.set.Version)
		var fault *game.Fault
		if !errors.As(err, &fault) || fault == nil {
			return fmt.Errorf("options %s are answered with a %T, not with a *Fault", options, err)
		}
		if err := t.declared(fault.Key, fault.Args); err != nil {
			return fmt.Errorf("options %s are answered, but %w", options, err)
		}
		return nil
	})
}

func lawAllocation[S, M comparable](t *table[S, M]) error {
	const seeds = 3
	s, buf := new(S), make([]M, 0, 1<<14)
	var standing game.Standing
	for seed := range uint64(seeds) {
		playout := func() {
			t.pcg.Seed(seed, 1)
			*s = t.rules.Start()
			_, _, buf = game.Playout(t.rules, s, t.rng, buf, mostPlies)
			standing = t.rules.Standing(s)
		}
		if n := Allocations(playout); n > 0 {
			return fmt.Errorf("a playout to %+v allocated %v times", standing.Seats[:t.set.Seats], n)
		}
	}
	return nil
}
