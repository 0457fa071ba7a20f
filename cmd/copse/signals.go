package main

import (
	"context"
	"os"
	"os/signal"
)

// untilTold is over once one of the signals has come. A second one ends the process at once,
// also where it came before anybody saw that it is over: nobody listens to signals any more.
func untilTold(signals ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, over := context.WithCancel(context.Background())
	told := make(chan os.Signal, 1)
	signal.Notify(told, signals...)
	go func() {
		select {
		case <-told:
		case <-ctx.Done():
		}
		signal.Stop(told) // before it is over, and a second one that came in between comes again
		select {
		case again := <-told:
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Signal(again) // where that cannot be, the first one is heeded all the same
			}
		default:
		}
		over()
	}()
	return ctx, over
}
