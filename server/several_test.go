package server

// Several has passes looked up again every few seconds, as where another node may end them.
func (s *Server) Several() {
	s.passes.mu.Lock()
	defer s.passes.mu.Unlock()
	s.passes.trust = trustSeldom
}
