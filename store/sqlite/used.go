package sqlite

import (
	"cmp"
	"slices"

	"copse/store/kept"
)

// used are the keys of the logs that were written to lately. Nearly every key that
// comes with an append is a new one, and a log would have to be looked through to
// its beginning to say so: an index would cost a page with every append.
//
// What is remembered counts for one length of a log alone: an append is refused if
// the row of its table says another, so nothing can have been written in between.
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

// knows tells whether a key was used in the log of a table, whatever for. A log that
// is not remembered is looked through once.
func (t *tx) knows(h head, key int64) (bool, error) {
	u := t.used.of[h.id]
	if u == nil || u.serial != h.serial || u.next != h.next {
		u = &usedOf{serial: h.serial, next: h.next}
		if h.next > 0 {
			if err := t.rows("SELECT key FROM entries WHERE serial = ? AND key <> 0", func(scan scan) error {
				var one int64
				err := scan(&one)
				u.keys = append(u.keys, one)
				return err
			}, h.serial); err != nil {
				return false, err
			}
		}
		t.used.remember(h.id, u)
	}
	return slices.Contains(u.keys, key), nil
}

// learn takes note that a log has grown from a number on, under a key.
func (t *tx) learn(h head, from int, k kept.Key) {
	u := t.used.of[h.id]
	switch {
	case u == nil:
	case u.serial != h.serial || u.next != from:
		t.used.forget(h.id)
	default:
		u.next = h.next
		if k.Till > 0 { // it was written
			u.keys = append(u.keys, k.Key)
			t.used.add(1)
		}
	}
}

func (u *used) remember(table string, one *usedOf) {
	u.forget(table)
	u.of[table] = one
	u.add(len(one.keys))
}

// add counts keys. Where there are too many all are forgotten.
func (u *used) add(n int) {
	if u.keys += n; u.keys > cmp.Or(u.most, mostUsed) {
		u.clear()
	}
}

func (u *used) forget(table string) {
	if old := u.of[table]; old != nil {
		u.keys -= len(old.keys)
		delete(u.of, table)
	}
}

func (u *used) clear() {
	clear(u.of)
	u.keys = 0
}
