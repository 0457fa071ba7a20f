package game

import (
	"errors"
	"maps"
)

// Args are the arguments of a key: numbers, seats, pairs of coordinates, words
// of the wire and lists of those. Words for people are in the locale files.
type Args = map[string]any

// Refusal says why a move is not allowed: a key with arguments that the locale
// files turn into a sentence, and the number of the rule.
type Refusal struct {
	Key  string `json:"key"`
	Args Args   `json:"args"`
	Rule string `json:"rule"`
}

// Refuse makes a refusal.
func Refuse(rule, key string, args Args) *Refusal {
	if args == nil {
		args = Args{}
	}
	return &Refusal{Key: key, Args: args, Rule: rule}
}

// Error gives key, arguments and rule, for logs and tests.
func (r *Refusal) Error() string {
	return r.Key + " " + asJSON(r.Args) + " (rule " + r.Rule + ")"
}

// Fault says that an input could not be read at all, whatever the rules: a missing
// field, a word in the place of a number, a version that does not exist.
type Fault struct {
	Key  string `json:"key"`
	Args Args   `json:"args"`
}

// Blame makes a fault.
func Blame(key string, args Args) *Fault {
	if args == nil {
		args = Args{}
	}
	return &Fault{Key: key, Args: args}
}

// Error gives key and arguments, for logs and tests.
func (f *Fault) Error() string { return f.Key + " " + asJSON(f.Args) }

// Inside adds to a fault that was found in the object under a field where that
// object is.
func Inside(field string, err error) error {
	var fault *Fault
	if !errors.As(err, &fault) {
		return err
	}
	args := maps.Clone(fault.Args)
	for _, name := range []string{"field", "path"} {
		if inner, ok := args[name].(string); ok {
			args[name] = field + "." + inner
		}
	}
	return Blame(fault.Key, args)
}

func asJSON(v any) string {
	b, err := Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
