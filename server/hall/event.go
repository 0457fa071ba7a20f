package hall

// What is told and is in no log, with the table that it is about.

// Said is a line of chat.
type Said struct {
	Table string `json:"table"`
	ChatLine
}

// Here is who is connected.
type Here struct {
	Table string `json:"table"`
	Present
}

// Named is everyone at a table by name.
type Named struct {
	Table string `json:"table"`
	Who   []*Who `json:"who"` // seat by seat; null for nobody, a bot, or somebody who is no more
}

// Next is where a rematch is played.
type Next struct {
	Table string `json:"table"`
	Next  string `json:"next"`
}

// SidesNews is that another game of both sides was set, or that one is over.
type SidesNews struct {
	Table string `json:"table"`
	Sides *Sides `json:"sides"`
}

// Gone is a table that does not exist, or not for the listener.
type Gone struct {
	Table string `json:"table"`
}
