package hall

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// Whoever blocks somebody and whom they block are apart: neither sees the other's open
// tables in lists, sits down at an open table where the other sits, is matched with them
// by Play now, asks them for anything, or invites them. It does not matter who of the two
// blocks. A game that goes on goes on. At a table that is reached by a link alone both
// may sit: whoever hands out a link chooses who comes and can send anybody away, and a
// refusal there would tell a circle of friends who blocks whom.
//
// A program is apart from whomever its owner is apart from. Who blocks a program blocks
// that program alone: were its owner blocked with it, all that they do would tell who
// owns it.

// blockPaper is the kind of what is kept of a block. Its key is who is blocked and who
// blocks, who owns it.
const blockPaper = "block"

// MostBlocks is how many people one may block.
const MostBlocks = 500

// block is what is kept of a block.
type block struct {
	At table.Time `json:"at"`
}

// root is the person that an account belongs to: for a program its owner.
func (a *Account) root() string {
	if a.Owner != "" {
		return a.Owner
	}
	return a.ID
}

// apart remembers from whom people are apart.
type apart struct {
	mu      sync.Mutex
	of      map[string]apartFrom
	changed int // how often somebody was forgotten

	late map[string]bool // who were to be matched with somebody from whom they are apart since
}

// learn remembers that some of these people are apart, and forgets what was known.
func (a *apart) learn(people []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.late == nil || len(a.late) > mostKnown {
		a.late = map[string]bool{}
	}
	a.changed++
	for _, id := range people {
		a.late[id] = true
		delete(a.of, id)
	}
}

// learned tells whether that was remembered of somebody.
func (a *apart) learned(person string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.late[person]
}

// apartFrom are those from whom one person is apart, as they were read.
type apartFrom struct {
	people map[string]bool
	read   time.Time
}

// apartOf are all from whom an account is apart: for a program also those from whom its
// owner is. The caller does not change it.
func (h *Hall) apartOf(ctx context.Context, by Account) (map[string]bool, error) {
	apart, err := h.apartFrom(ctx, by.root())
	if err != nil || by.root() == by.ID {
		return apart, err
	}
	own, err := h.apartFrom(ctx, by.ID)
	if err != nil || len(own) == 0 {
		return apart, err
	}
	all := maps.Clone(own)
	maps.Copy(all, apart)
	return all, nil
}

// apartFrom are all from whom one account is apart: whom they block, and who blocks them.
// The caller does not change it.
func (h *Hall) apartFrom(ctx context.Context, person string) (map[string]bool, error) {
	if person == "" {
		return nil, nil
	}
	now := h.Now()
	h.apart.mu.Lock()
	known, ok := h.apart.of[person]
	before := h.apart.changed
	h.apart.mu.Unlock()
	if ok && (!h.several() || now.Sub(known.read) < knownTime) {
		return known.people, nil
	}
	var people map[string]bool
	add := func(id string) {
		if people == nil {
			people = map[string]bool{}
		}
		people[id] = true
	}
	mine, err := h.store.Papers(ctx, blockPaper, person, "", store.MostListed)
	if err != nil {
		return nil, err
	}
	for i := range mine {
		add(listOf(&mine[i]))
	}
	theirs, err := h.inList(ctx, blockPaper, person, mostKnown)
	if err != nil {
		return nil, err
	}
	for i := range theirs {
		add(theirs[i].Owner)
	}
	h.apart.mu.Lock()
	defer h.apart.mu.Unlock()
	if h.apart.changed != before { // it may have changed since it was read
		return people, nil
	}
	for other := range h.apart.of {
		if len(h.apart.of) < mostKnown {
			break
		}
		delete(h.apart.of, other)
	}
	if h.apart.of == nil {
		h.apart.of = map[string]apartFrom{}
	}
	h.apart.of[person] = apartFrom{people, now}
	return people, nil
}

// parted forgets from whom people are apart, at this node; nobody is named for all.
func (h *Hall) parted(people ...string) {
	h.apart.mu.Lock()
	defer h.apart.mu.Unlock()
	h.apart.changed++
	for _, id := range people {
		delete(h.apart.of, id)
	}
	if len(people) == 0 {
		clear(h.apart.of)
	}
}

// tellParted forgets from whom two people are apart, at all nodes.
func (h *Hall) tellParted(a, b string) {
	h.parted(a, b)
	h.tellHouse("blocks", "", accountNews{Account: a})
	h.tellHouse("blocks", "", accountNews{Account: b})
}

// Apart tells whether somebody blocks the other, whoever of the two it is. It asks the
// store.
func (h *Hall) Apart(ctx context.Context, a, b Account) (bool, error) {
	if a.ID == "" || b.ID == "" || a.root() == b.root() {
		return false, nil
	}
	keys := []string{between(a.root(), b.root()), between(b.root(), a.root())}
	if a.Program { // who blocks is a person
		keys = append(keys, between(a.ID, b.root()))
	}
	if b.Program {
		keys = append(keys, between(b.ID, a.root()))
	}
	for _, key := range keys {
		_, err := h.store.Paper(ctx, blockPaper, key)
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, store.ErrNone) {
			return false, err
		}
	}
	return false, nil
}

// anyApart tells whether two of these accounts are apart.
func (h *Hall) anyApart(ctx context.Context, ids []string) (bool, error) {
	accounts, err := h.many(ctx, ids)
	if err != nil {
		return false, err
	}
	for i := range ids {
		for j := range i {
			if yes, err := h.Apart(ctx, accounts[ids[i]], accounts[ids[j]]); err != nil || yes {
				return yes, err
			}
		}
	}
	return false, nil
}

// keepsApart refuses somebody who wants to sit down at an open table where somebody sits
// from whom they are apart. They are not told who, nor who of them blocks. Where others
// may have changed it the store is asked; who is apart from nobody needs to know nobody.
func (r *room) keepsApart(ctx context.Context, by Account) error {
	if r.t.Settings().Visible != table.ForAll || r.t.SeatOf(by.at(r.id)) >= 0 {
		return nil
	}
	if r.hall.several() {
		r.hall.parted(by.root(), by.ID)
	}
	apart, err := r.hall.apartOf(ctx, by)
	if err != nil {
		return err
	}
	ok, err := r.hall.meets(ctx, apart, r.accounts[:r.t.Settings().Seats])
	if err == nil && !ok {
		err = game.Refuse("", "server.apart", nil)
	}
	return err
}

// meets tells whether somebody who is apart from these people may see a table in a list:
// nobody of them sits there, and no program of theirs.
func (h *Hall) meets(ctx context.Context, apart map[string]bool, sitting []string) (bool, error) {
	if len(apart) == 0 {
		return true, nil
	}
	accounts, err := h.many(ctx, slices.DeleteFunc(slices.Clone(sitting), func(id string) bool { return id == "" }))
	if err != nil {
		return false, err
	}
	for _, a := range accounts {
		if apart[a.root()] || apart[a.ID] {
			return false, nil
		}
	}
	return true, nil
}

// Block blocks somebody: friendship, asks and invitations between the two are gone.
func (h *Hall) Block(ctx context.Context, by, whom Account) error {
	other := whom.ID
	if whom.root() == by.ID {
		return game.Refuse("", "server.friend.self", nil)
	}
	for range mostTries {
		turn, err := h.turnOf(ctx, by.ID, other)
		if err != nil {
			return err
		}
		p, err := h.paperOr(ctx, blockPaper, between(other, by.ID), by.ID)
		if err != nil {
			return err
		}
		if p.Version > 0 {
			return nil
		}
		mine, err := h.store.Papers(ctx, blockPaper, by.ID, "", MostBlocks)
		if err != nil {
			return err
		}
		if len(mine) >= MostBlocks {
			return game.Refuse("", "server.blocks", game.Args{"most": MostBlocks})
		}
		if p.Body, err = json.Marshal(block{At: h.now()}); err != nil {
			return err
		}
		papers, err := h.bonds(ctx, by.ID, other)
		if err != nil {
			return err
		}
		theirs, err := h.paperOr(ctx, askPaper, between(by.ID, other), other)
		if err != nil {
			return err
		}
		if theirs.Version > 0 { // to them it stays what it was: an ask that nobody answers
			a := friendAsk{}
			if err := json.Unmarshal(theirs.Body, &a); err != nil {
				return err
			}
			a.No = true
			if theirs.Body, err = json.Marshal(a); err != nil {
				return err
			}
			papers = append(papers, theirs)
		}
		err = h.store.Write(ctx, append(papers, p, turn)...)
		if errors.Is(err, store.ErrChanged) {
			continue
		}
		if err != nil {
			return err
		}
		h.tellParted(by.ID, other)
		return Unsure(h.uninvite(ctx, by.ID, other))
	}
	return game.Refuse("", "server.busy", nil)
}

// Blocks are those whom somebody blocks, by name.
func (h *Hall) Blocks(ctx context.Context, by Account) ([]Friend, error) {
	papers, err := h.store.Papers(ctx, blockPaper, by.ID, "", store.MostListed)
	if err != nil {
		return nil, err
	}
	return h.friendsOf(ctx, by.ID, papers, listOf, func(f *Friend, body []byte) error {
		var kept block
		if err := json.Unmarshal(body, &kept); err != nil {
			return err
		}
		f.Since = kept.At
		return nil
	})
}

// Unblock unblocks somebody whom one blocks, by what they are called in that list.
func (h *Hall) Unblock(ctx context.Context, by Account, friend string) error {
	list, err := h.Blocks(ctx, by)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(f Friend) bool { return f.Friend == friend })
	if i < 0 {
		return store.ErrNone
	}
	other := list[i].account
	p, err := h.store.Paper(ctx, blockPaper, between(other, by.ID))
	if err == nil {
		err = h.store.Write(ctx, torn(p))
	}
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrChanged) {
		err = nil // it was unblocked in another tab
	}
	h.tellParted(by.ID, other)
	return err
}

// folds tells which accounts somebody blocks, to whom what they say is shown folded.
func (h *Hall) folds(ctx context.Context, by Account) (map[string]bool, error) {
	apart, err := h.apartFrom(ctx, by.root())
	if err != nil || len(apart) == 0 {
		return nil, err
	}
	papers, err := h.store.Papers(ctx, blockPaper, by.root(), "", store.MostListed)
	blocked := map[string]bool{}
	for i := range papers {
		blocked[listOf(&papers[i])] = true
	}
	return blocked, err
}

// FoldsNothing tells whether it is known that no line of chat is folded for somebody,
// without asking the store.
func (h *Hall) FoldsNothing(by Account) bool {
	if by.ID == "" {
		return true
	}
	h.apart.mu.Lock()
	defer h.apart.mu.Unlock()
	known, ok := h.apart.of[by.root()]
	return ok && len(known.people) == 0 && (!h.several() || h.Now().Sub(known.read) < knownTime)
}
