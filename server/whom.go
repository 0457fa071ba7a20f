package server

import (
	"math"

	"copse/game"
	"copse/server/hall"
	"copse/store"
)

// whomBody names somebody else. Members have a name of their own. Guests have none that
// is theirs alone: they are whoever sits at a seat, or said a line, or is in my lists.
type whomBody struct {
	Name  *string    `json:"name,omitempty" about:"A member, by name."`
	Table *string    `json:"table,omitempty" about:"Or a table that I may see, with one of its seats or lines:"`
	Seat  *game.Seat `json:"seat,omitempty" about:"who sits there,"`
	Line  *int       `json:"line,omitempty" about:"or who said this."`

	Friend *string `json:"friend,omitempty" about:"Or somebody in my lists, as friends names them."`
}

// whom is who is meant. Nobody is told more than that there is no such person: whether
// a table is hidden from them, or nobody sits there, is the same to them.
func (c *call) whom(in whomBody) (hall.Account, error) {
	ctx := c.r.Context()
	given := 0
	for _, is := range []bool{in.Name != nil, in.Table != nil, in.Friend != nil} {
		if is {
			given++
		}
	}
	if in.Line != nil && *in.Line < 0 {
		return hall.Account{}, game.Blame("json.range", game.Args{"field": "line", "least": 0, "most": math.MaxInt32})
	}
	switch {
	case given == 1 && in.Name != nil && in.Seat == nil && in.Line == nil:
		account, err := c.Hall.NameHolder(ctx, looks(*in.Name))
		if err == nil && account == "" {
			err = store.ErrNone
		}
		if err != nil {
			return hall.Account{}, err
		}
		return c.Hall.Account(ctx, account)
	case given == 1 && in.Table != nil && in.Seat != nil && in.Line == nil:
		return c.Hall.SeatHolder(ctx, *in.Table, c.by, *in.Seat)
	case given == 1 && in.Table != nil && in.Seat == nil && in.Line != nil:
		a, _, err := c.Hall.Speaker(ctx, *in.Table, c.by, *in.Line)
		return a, err
	case given == 1 && in.Friend != nil && in.Seat == nil && in.Line == nil:
		return c.Hall.InLists(ctx, c.by, *in.Friend)
	default:
		return hall.Account{}, game.Refuse("", "server.whom", nil)
	}
}
