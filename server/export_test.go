package server

import "time"

// Clock has limits count by another clock.
func (s *Server) Clock(now func() time.Duration) {
	s.limits.mu.Lock()
	defer s.limits.mu.Unlock()
	s.limits.clock = now
}

// Restart forgets which passes were met, as a restart does.
func (s *Server) Restart() {
	s.passes.mu.Lock()
	defer s.passes.mu.Unlock()
	fresh := newPasses()
	s.passes.known, s.passes.none = fresh.known, fresh.none
}

// Looks are what a name looks like, which nobody else may have.
func Looks(name string) []string { return looks(name) }

// Unwelcome tells whether a text has a word of a list in it.
func Unwelcome(list Words, text string) bool { return list.unwelcome(text) }
