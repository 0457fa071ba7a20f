package postgres

import (
	"cmp"
	"slices"

	"copse/store"
)

// used are the keys of the logs that this node has written to lately. Nearly every
// key that comes with an append is a new one, and a log would have to be looked
// through to its beginning to say so: an index would cost a page with every append.
// What a log has more than is remembered, the statement looks through, and tells.
type used struct {
	of   map[string]*usedOf // by table
	keys int                // of all of them
	most int                // 0 for mostUsed
}

// usedOf are the keys of one log.
type usedOf struct {
	serial int64
	next   int // the log was looked through up to here
	keys   []int64
}

// mostUsed is how many keys are remembered, eight bytes each.
const mostUsed = 1 << 20

func (u *usedOf) has(once store.Once) bool {
	key, _ := once.Digest()
	return slices.Contains(u.keys, key)
}

// learn takes note of an append that was written, and of the keys between what was
// remembered and it.
func (u *used) learn(a *store.Append, serial int64, between []int64) {
	one := u.of[a.Table]
	if one == nil && a.Once.Key == "" {
		return // it was not looked through
	}
	if one == nil {
		one = &usedOf{serial: serial}
		u.of[a.Table] = one
		u.keys++ // a table counts as a key
	}
	before := len(one.keys)
	one.keys = append(one.keys, between...)
	if a.Once.Key != "" && len(a.Entries) > 0 {
		key, _ := a.Once.Digest()
		one.keys = append(one.keys, key)
	}
	one.next = a.Next + len(a.Entries)
	if u.keys += len(one.keys) - before; u.keys > cmp.Or(u.most, mostUsed) {
		u.clear()
	}
}

func (u *used) forget(table string) {
	if old := u.of[table]; old != nil {
		u.keys -= len(old.keys) + 1
		delete(u.of, table)
	}
}

func (u *used) clear() {
	clear(u.of)
	u.keys = 0
}
