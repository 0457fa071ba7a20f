package main

import (
	"errors"

	"copse/game"
	"copse/i18n"
)

// inWords turns a fault into an English sentence for whoever typed the command.
func inWords(err error) error {
	var fault *game.Fault
	if !errors.As(err, &fault) {
		return err
	}
	return errors.New(i18n.Pick("en").Say(fault.Key, fault.Args, nil))
}
