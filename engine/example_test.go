package engine_test

import (
	"fmt"

	"copse/engine"
	"copse/games"
)

// An engine is driven by one JSON object a line, as docs/engine.md describes.
func ExampleEngine_Answer() {
	e := engine.New(games.All()...)
	for _, line := range []string{
		`{"do":"new","game":"bosk","seats":2}`,
		`{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[2,2]}}`,
		`{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[2,2]}}`,
		`{"do":"play","seat":1,"move":{"do":"plant","tree":3,"at":[2,2]}}`,
		`{"do":"dance"}`,
	} {
		answer := string(e.Answer([]byte(line)))
		fmt.Println(answer[:min(len(answer), 72)])
	}
	// Output:
	// {"ok":true,"toAct":[0],"turn":0,"events":[],"version":1,"box":"7162b6244
	// {"ok":true,"toAct":[1],"turn":1,"events":[{"key":"bosk.event.plant","arg
	// {"ok":false,"refusal":{"key":"bosk.turn","args":{"seat":1},"rule":"2.1"}
	// {"ok":false,"refusal":{"key":"bosk.plant.taken","args":{"at":[2,2],"seat
	// {"ok":false,"error":{"key":"engine.do","args":{"do":"dance","known":["ga
}
