package hall

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"

	"copse/bot"
	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// letters write IDs and codes: without i, l and o, which look like digits, and
// without u, so that fewer words come up by chance.
var letters = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID is an ID that nobody can guess: 60 bits in twelve letters.
func (h *Hall) NewID() string {
	var raw [8]byte
	h.random("id", raw[:])
	return letters.EncodeToString(raw[:])[:12]
}

// CheckPlayer is nil where a game has a bot of that name.
func (h *Hall) CheckPlayer(name, player string) error {
	if h.thinkers[name] == nil {
		return game.Blame("bot.player", game.Args{"player": player, "known": []string{}})
	}
	if bot.Boundless(player) { // a reference to measure against
		return game.Blame("bot.player", game.Args{"player": player, "known": bot.Players()})
	}
	return bot.Known(player)
}

// Create sets a table. Nobody sits at it yet: a person who sits down brings a
// nonce, and must have seen the commitment before.
func (h *Hall) Create(ctx context.Context, set table.Settings) (string, error) {
	id := h.NewID()
	return id, h.create(ctx, id, set, nil)
}

func (h *Hall) create(ctx context.Context, id string, set table.Settings, again []string) error {
	b := private{Again: again, Zone: set.Zone, owned: true}
	if set.Zone != "" {
		var err error
		if set.Shifts, err = shifts(set.Zone, h.Now()); err != nil {
			return err
		}
	}
	h.newest(&set)
	if err := h.maySides(&set); err != nil {
		return err
	}
	secrets := make([]table.Secret, set.Games())
	for i := range secrets {
		h.random("secret", secrets[i][:])
	}
	b.Secret, b.Later = secrets[0], secrets[1:]
	first, keep, err := table.CreateSides(h.shelf, set, secrets, h.now())
	if err != nil {
		return err
	}
	if err := h.CheckPlayer(set.Game, set.StandIn); err != nil {
		return err
	}
	if keep.Box != nil {
		b.Box = first.Settings.Box
	}
	t, err := table.Open(h.shelf, keep, [][]byte{first.Append(nil)})
	if err != nil {
		return err
	}
	r := &room{hall: h, id: id, t: t, private: b}
	row, _ := r.list()
	_, err = r.append(ctx, store.Append{Table: id, At: store.Time(int64(t.At())), Entries: t.Log(), Row: &row, Box: keep.Box})
	return err
}

// rematchID is the ID of the table of a rematch: always the same one, so that all
// who want it meet there.
func (h *Hall) rematchID(id string) string {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("copse rematch 1\n" + id))
	return letters.EncodeToString(mac.Sum(nil))[:12]
}

// Rematch sets a table like a finished one, with a seat kept for everyone, one
// further on. Everybody who asks gets the same table. Nobody sits at it yet, as at
// any new table: a nonce that came with the request would have been known before
// the secret was drawn.
func (h *Hall) Rematch(ctx context.Context, id string, by Account) (string, error) {
	var set table.Settings
	var again []string
	next := h.rematchID(id)
	err := h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if viewer < 0 {
			return game.Refuse("", "table.stranger", nil)
		}
		old, seats, err := r.t.Rematch()
		if err != nil {
			return err
		}
		set = old
		set.Zone = r.private.Zone // whose clocks may have changed since
		for _, one := range seats {
			kept := ""
			if seat := r.t.SeatOf(one.Person); one.Player != "" {
				kept = botPrefix + one.Player
			} else if seat >= 0 && r.accounts[seat] != "" {
				a, err := h.Account(ctx, r.accounts[seat])
				if err == nil {
					kept = a.at(next).String()
				} else if !errors.Is(err, store.ErrNone) {
					return err
				}
			}
			again = append(again, kept)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	err = h.create(ctx, next, set, again)
	var conflict *store.Conflict
	if errors.As(err, &conflict) || errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrOver) {
		return next, nil // somebody was first
	}
	if err != nil {
		return "", err
	}
	h.publishState(news.Table(id), "next", Next{id, next})
	return next, nil
}

const botPrefix = "bot:"

// Sit sits somebody down; it fills in who. Where no seat is named they get the one
// that was kept for them, else any. A person for whom a seat was kept needs no
// link. The first person to sit down after a rematch brings the bots along.
func (h *Hall) Sit(ctx context.Context, id string, by Account, sit table.Sit, once store.Once) (int, error) {
	r, err := h.enter(ctx, id)
	if err != nil {
		return 0, err
	}
	defer r.leave()
	h.people.note(by)
	if err := r.catchUp(ctx); err != nil {
		return 0, err
	}
	person := by.at(id)
	once.Who = by.ID
	if !r.t.MaySee(person) {
		return r.before(ctx, nil, once, store.ErrNone)
	}
	sit.Person = person
	if kept := r.kept(by); kept >= 0 {
		sit.Invite = r.t.Invite()
		if sit.Seat == game.None && !r.t.Begun() && r.t.People().Seats[kept].Held == table.Nobody {
			sit.Seat = kept
		}
	}
	first := r.t.Len() == 1
	number, err := r.do(ctx, by, sit, once)
	if err != nil {
		return number, err
	}
	if err := h.stays(ctx, by.ID); errors.Is(err, store.ErrNone) { // whoever deletes them may not have seen them here
		return 0, cmp.Or(Unsure(r.giveUp(ctx, by)), err)
	}
	if !first {
		return number, nil
	}
	for seat, kept := range r.private.Again {
		if player, ok := strings.CutPrefix(kept, botPrefix); ok && r.t != nil && !r.gone {
			if n, err := r.do(ctx, by, table.SeatBot{Person: person, Seat: game.Seat(seat), Player: player}, store.Once{}); err == nil {
				number = n
			}
		}
	}
	return number, nil
}
