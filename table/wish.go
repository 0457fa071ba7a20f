package table

import "copse/game"

// TakeBack asks that the game goes back: to the entry To of the line of play, after
// which the person was to move, or, where To is below 0, to the beginning of their
// last turn. Other people at the table are asked first; against bots alone it
// happens at once.
type TakeBack struct {
	Person Person
	To     int
}

func (c TakeBack) decide(d *decision) error {
	seat, err := d.wisher(c.Person)
	if err != nil {
		return err
	}
	if d.t.settings.Undo == UndoNone {
		return no("table.undo.none", nil)
	}
	to := c.To
	if to < 0 {
		last, ok := d.t.lastTurn(&d.s, seat)
		if !ok {
			return no("table.undo.nothing", nil)
		}
		to = last
	}
	if d.s.needed(Undo, seat, d.now) == 0 {
		return d.add(Entry{Do: Undone, Seat: seat, To: to})
	}
	return d.add(Entry{Do: Asked, Seat: seat, For: Undo, To: to})
}

// wisher is the seat of a person who wants something of the others.
func (d *decision) wisher(person Person) (game.Seat, error) {
	if err := d.mayGrow(); err != nil {
		return game.None, err
	}
	return d.player(person)
}

// Suggest asks the others to pause or to abandon the game. A person who plays with
// bots alone need not ask.
type Suggest struct {
	Person Person
	For    Wish // Pause or Abandon
}

func (c Suggest) decide(d *decision) error {
	if c.For != Pause && c.For != Abandon {
		return game.Blame("table.wish", game.Args{"known": []string{Pause.String(), Abandon.String()}})
	}
	seat, err := d.wisher(c.Person)
	if err != nil {
		return err
	}
	if c.For == Abandon && d.t.settings.Rated {
		return no("table.rated.abandon", nil) // also where only bots would be left alone
	}
	if d.s.needed(c.For, seat, d.now) == 0 {
		return d.grant(c.For, seat, 0)
	}
	return d.add(Entry{Do: Asked, Seat: seat, For: c.For})
}

// Answer agrees to what somebody asked for, or declines it. The person who asked
// may withdraw it. When all have agreed, it happens.
type Answer struct {
	Person Person
	For    Wish
	Yes    bool
}

func (c Answer) decide(d *decision) error {
	if c.For < Undo || c.For > wishes {
		return game.Blame("table.wish", game.Args{"known": wishNames[Undo:]})
	}
	seat, err := d.player(c.Person)
	if err != nil {
		return err
	}
	if !c.Yes {
		return d.add(Entry{Do: Declined, Seat: seat, For: c.For})
	}
	a := d.s.asks[c.For]
	if err := d.add(Entry{Do: Agreed, Seat: seat, For: c.For}); err != nil {
		return err
	}
	if !d.s.granted(c.For, a.by, int(a.to), d.now) {
		return nil
	}
	return d.grant(c.For, a.by, int(a.to))
}

// grant makes a wish come true.
func (d *decision) grant(w Wish, seat game.Seat, to int) error {
	switch w {
	case Undo:
		return d.add(Entry{Do: Undone, Seat: seat, To: to})
	case Pause:
		return d.add(Entry{Do: Paused, Seat: seat})
	}
	return d.end(Abandoned, seat)
}

// Resume ends a pause. Anyone who has not resigned may do it.
type Resume struct{ Person Person }

func (c Resume) decide(d *decision) error {
	seat, err := d.player(c.Person)
	if err != nil {
		return err
	}
	return d.add(Entry{Do: Resumed, Seat: seat})
}
