package hall

import (
	"context"

	"copse/game"
	"copse/store"
)

// SeatHolder is who sits at a seat of a table that somebody may see, or played there:
// store.ErrNone for a bot, an empty seat, and somebody who is no more.
func (h *Hall) SeatHolder(ctx context.Context, id string, by Account, seat game.Seat) (Account, error) {
	account := ""
	err := h.see(ctx, id, by, func(r *room, _ game.Seat) error {
		if seat >= 0 && int(seat) < len(r.accounts) {
			account = r.accounts[seat]
		}
		return nil
	})
	if err == nil && account == "" {
		err = store.ErrNone
	}
	if err != nil {
		return Account{}, err
	}
	return h.Account(ctx, account)
}

// Speaker is who said a line at a table that somebody may see, with what was said:
// store.ErrNone where there is no such line, or the speaker is no more.
func (h *Hall) Speaker(ctx context.Context, id string, by Account, number int) (Account, ChatLine, error) {
	lines, err := h.Lines(ctx, id, by, number)
	if err != nil {
		return Account{}, ChatLine{}, err
	}
	kept, err := h.store.Lines(ctx, id, max(number, 0), 1)
	if err == nil && (len(kept) == 0 || len(lines) == 0 || kept[0].Number != number || lines[0].Number != number) {
		err = store.ErrNone
	}
	if err != nil {
		return Account{}, ChatLine{}, err
	}
	a, err := h.Account(ctx, kept[0].Account)
	return a, lines[0], err
}
