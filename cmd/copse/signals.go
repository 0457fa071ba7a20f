package main

import (
	"context"
	"os"
	"os/signal"
)

// untilTold is over once one of the signals has come. A second one ends the process at once,
// also where it came before anybody saw that it is over: nobody listens to signals any more.
// Two of the same kind within a few milliseconds may be one to the system.
func untilTold(signals ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, over := context.WithCancel(context.Background())
	told := make(chan os.Signal, 1)
	signal.Notify(told, signals...)
	go func() {
		defer over()
		waitFor(ctx, told, func() { signal.Stop(told) }, func(again os.Signal) {
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Signal(again) // where that cannot be, the first one is heeded all the same
			}
		})
	}()
	return ctx, over
}

// waitFor waits for a signal, and then stops listening. One that came in between comes again.
func waitFor(ctx context.Context, told <-chan os.Signal, stop func(), again func(os.Signal)) {
	select {
	case <-told:
	case <-ctx.Done():
	}
	stop()
	select {
	case second := <-told:
		again(second)
	default:
	}
}
