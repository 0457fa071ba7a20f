package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// signalled has the test binary send itself a signal, and a second one once it heard.
const signalled = "COPSE_TEST_SIGNALLED"

func signalTwice() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		os.Exit(2)
	}
	ctx, stop := untilTold(os.Interrupt)
	defer stop()
	for range 2 {
		if err := self.Signal(os.Interrupt); err != nil {
			os.Exit(2)
		}
		<-ctx.Done()
	}
	time.Sleep(10 * time.Second) // only where the second signal was lost
}

// TestASignalInBetweenComesAgain: between the first signal and the end of listening a second
// may come, which nobody would hear.
func TestASignalInBetweenComesAgain(t *testing.T) {
	t.Parallel()
	for _, second := range []os.Signal{nil, syscall.SIGTERM} {
		told := make(chan os.Signal, 1)
		told <- os.Interrupt
		var again os.Signal
		waitFor(t.Context(), told, func() {
			if second != nil {
				told <- second
			}
		}, func(s os.Signal) { again = s })
		if again != second {
			t.Errorf("%v came in between, and %v comes again", second, again)
		}
	}
}

// TestASecondSignalIsNotLost, however soon it comes after the first was heard.
func TestASecondSignalIsNotLost(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1", signalled+"=1")
		err := cmd.Run()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() == 2 {
			t.Fatalf("it ends with %v, and not by the second signal", err)
		}
	}
}
