package hall

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// ChatLine is something said at a table.
type ChatLine struct {
	Number int        `json:"number"`
	At     table.Time `json:"at"`
	Seat   *game.Seat `json:"seat,omitempty"` // who said it, while they sit there
	By     *Who       `json:"by,omitempty"`   // who said it, while there is such a person

	Folded bool `json:"folded,omitempty"` // the viewer blocks who said it
	Words
}

// Words are what is said: a set phrase or a text.
type Words struct {
	Phrase string `json:"phrase,omitempty"` // one of table.Sayings
	Text   string `json:"text,omitempty"`
}

// check cleans what is said; a *game.Fault says what is wrong with it.
func (w Words) check() (Words, error) {
	if w.Phrase != "" {
		return Words{Phrase: w.Phrase}, table.CheckSaying(w.Phrase)
	}
	text, err := table.CleanChat(w.Text)
	return Words{Text: text}, err
}

// Say says something at a table. Only those who sit at it may.
func (h *Hall) Say(ctx context.Context, id string, by Account, words Words, once store.Once) (*ChatLine, error) {
	words, err := words.check()
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(words)
	if err != nil {
		return nil, err
	}
	var line ChatLine
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if viewer < 0 {
			return game.Refuse("", "table.stranger", nil)
		}
		once.Who = by.ID
		ctx, done := h.patiently(ctx)
		defer done()
		said, err := h.store.Say(ctx, id, store.ChatLine{At: h.Now(), Account: by.ID, Body: body}, once)
		if err != nil && !unwritten(err) {
			return Unsure(err)
		}
		if err != nil {
			return err
		}
		line = ChatLine{Number: said.Number, At: table.Time(store.Milli(said.At)), Seat: &viewer, By: by.who(), Words: words}
		if said.Number >= r.chat || h.several() { // else it was said before, and told; another node may have died in between
			r.chat = max(r.chat, said.Number+1)
			h.publish(news.Table(id), "chat", Said{id, line})
			h.crowd.heardLine(id, said.Number)
		}
		return nil
	})
	return &line, err
}

// Lines are what was said at a table from a number on.
func (h *Hall) Lines(ctx context.Context, id string, by Account, from int) ([]ChatLine, error) {
	var sitting []string
	err := h.see(ctx, id, by, func(r *room, _ game.Seat) error {
		sitting = slices.Clone(r.accounts[:])
		return nil
	})
	if err != nil {
		return nil, err
	}
	list, speakers, err := h.lines(ctx, id, from, sitting)
	if err != nil {
		return nil, err
	}
	blocked, err := h.folds(ctx, by)
	for i := range list {
		list[i].Folded = blocked[speakers[i].ID] || blocked[speakers[i].root()]
	}
	return list, err
}

// SaidBy is what somebody said at a table.
func (h *Hall) SaidBy(ctx context.Context, id string, by Account) ([]ChatLine, error) {
	lines, err := h.store.Lines(ctx, id, 0, store.MostLines)
	list := []ChatLine{}
	for _, l := range lines {
		if l.Account != by.ID {
			continue
		}
		line := ChatLine{Number: l.Number, At: table.Time(store.Milli(l.At))}
		if err := json.Unmarshal(l.Body, &line.Words); err != nil {
			return nil, err
		}
		list = append(list, line)
	}
	return list, err
}

// lines are what was said at a table at which these accounts sit, from a number on, and
// by which accounts.
func (h *Hall) lines(ctx context.Context, id string, from int, sitting []string) (list []ChatLine, speakers []Account, err error) {
	list = []ChatLine{}
	lines, err := h.store.Lines(ctx, id, max(from, 0), store.MostLines)
	for _, l := range lines {
		line := ChatLine{Number: l.Number, At: table.Time(store.Milli(l.At))}
		if err := json.Unmarshal(l.Body, &line.Words); err != nil {
			return nil, nil, err
		}
		if seat := slices.Index(sitting, l.Account); seat >= 0 {
			at := game.Seat(seat)
			line.Seat = &at
		}
		a, err := h.Account(ctx, l.Account)
		if err == nil {
			line.By = a.who()
		} else if !errors.Is(err, store.ErrNone) {
			return nil, nil, err
		}
		list, speakers = append(list, line), append(speakers, a)
	}
	return list, speakers, err
}
