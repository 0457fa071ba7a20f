package game_test

import (
	"errors"
	"fmt"

	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// A game is played through its JSON by whoever knows no game: a position lists
// what may be done, and a move makes another position.
func ExampleOf() {
	p, err := game.Of(bosk.Game()).Start(game.Settings{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	moves := p.Moves()
	fmt.Printf("seat %v may do %d things, such as %s\n", p.ToAct(), len(moves), moves[0])

	next, events, err := p.Play(p.ToAct(), moves[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("told:", events[0].Key)
	fmt.Println("now to act:", next.ToAct())
	fmt.Println("before, unchanged:", p.ToAct())
	// Output:
	// seat 0 may do 196 things, such as {"do":"plant","tree":1,"at":[1,1]}
	// told: bosk.event.plant
	// now to act: 1
	// before, unchanged: 0
}

// What the rules forbid is a *Refusal: a key, its arguments, and the rule.
func ExampleRefusal() {
	p, _ := game.Of(bosk.Game()).Start(game.Settings{Seats: 2})
	_, _, err := p.Play(1, p.Moves()[0])

	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Key, refusal.Args, "rule", refusal.Rule)
	}
	// Output:
	// bosk.turn map[seat:0] rule 2.1
}

// What a seat may not know is not in its view. What is missing can be imagined,
// but never looked up: the view has forgotten it.
func ExamplePosition_See() {
	p, _ := game.Of(grandbois.Game()).Start(game.Settings{Seats: 2})
	seed := game.Seed{Secret: []byte("drawn from a bowl")}
	for k := 0; p.ToAct() == game.Chance; k++ {
		p, _, _ = p.Play(game.Chance, p.Draw(seed, k))
	}
	own, other := p.See(0), p.See(1)
	fmt.Println("secrets:", p.Secrets())
	fmt.Println("the views differ:", string(own.View()) != string(other.View()))
	fmt.Println("a view of a view is that view:", string(own.See(0).View()) == string(own.View()))
	// Output:
	// secrets: true
	// the views differ: true
	// a view of a view is that view: true
}
