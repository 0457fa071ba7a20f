package main

import (
	"context"
	"os"
	"os/signal"
)

// untilTold is over once one of the signals has come. Whoever sees that it is over may send
// a second one: that ends the process at once, for nobody listens to signals any more.
func untilTold(signals ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, over := context.WithCancel(context.Background())
	told := make(chan os.Signal, 1)
	signal.Notify(told, signals...)
	go func() {
		select {
		case <-told:
		case <-ctx.Done():
		}
		signal.Stop(told) // before it is over: a second one that came in between would be lost
		over()
	}()
	return ctx, over
}
