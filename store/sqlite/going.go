package sqlite

import (
	"database/sql"
	"regexp"

	"copse/store"
	"copse/store/kept"
)

// boxName matches the name of a box.
var boxName = regexp.MustCompile("[0-9a-f]{64}")

// fillGoing brings what version 2 of the database knew to version 3. Boxes belong
// to the tables that name them; a box that no table names is dropped. Everyone
// counts as seen at the last moment that the database knows of: a store has no
// clock, and nobody is to be deleted because of an upgrade.
func fillGoing(tx *sql.Tx) error {
	if err := adopt(tx); err != nil {
		return err
	}
	return greet(tx)
}

// adopt finds the tables of the boxes that there are. A table names its box in the
// private part of its row. Where that cannot be read no box is dropped.
func adopt(tx *sql.Tx) error {
	boxes := map[string]bool{}
	if err := each(tx, "SELECT hash FROM boxes", func(scan scan) error {
		var hash string
		err := scan(&hash)
		boxes[hash] = true
		return err
	}); err != nil || len(boxes) == 0 {
		return err
	}
	type boxed struct {
		serial int64
		box    string
	}
	var list []boxed
	unread := false
	if err := each(tx, "SELECT serial, packed, beside FROM tables", func(scan scan) error {
		var serial int64
		var packed bool
		var private []byte
		if err := scan(&serial, &packed, &private); err != nil {
			return err
		}
		if packed {
			var err error
			if private, err = store.Grow(private, store.LargestExtra); err != nil {
				unread = true
			}
		}
		for _, name := range boxName.FindAll(private, -1) {
			if boxes[string(name)] {
				list = append(list, boxed{serial, string(name)})
				break
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, b := range list {
		if _, err := tx.Exec("INSERT INTO boxed VALUES (?, ?, ?)", b.serial, b.box, int64(boxedSum(b.serial, b.box))); err != nil {
			return err
		}
	}
	if unread {
		return nil
	}
	_, err := tx.Exec("DELETE FROM boxes WHERE hash NOT IN (SELECT box FROM boxed)")
	return err
}

// greet takes everyone as seen. A damaged row stays damaged.
func greet(tx *sql.Tx) error {
	var last int64
	if err := tx.QueryRow(`SELECT max((SELECT coalesce(max(born), 0) FROM people), (SELECT coalesce(max(born), 0) FROM passes),
		(SELECT coalesce(max(changed), 0) FROM tables))`).Scan(&last); err != nil {
		return err
	}
	var list []store.Account
	if err := each(tx, "SELECT id, name, salt, born, beside, sum FROM people", func(scan scan) error {
		var p store.Account
		var born, was int64
		if err := scan(&p.ID, &p.Name, &p.Salt, &born, &p.More, &was); err != nil {
			return err
		}
		if p.Born = store.Time(born); int64(accountSum2(&p)) == was {
			list = append(list, p)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, p := range list {
		p.Seen = store.Time(last)
		if _, err := tx.Exec("UPDATE people SET seen = ?, sum = ? WHERE id = ?", last, int64(accountSum(&p)), p.ID); err != nil {
			return err
		}
	}
	return nil
}

// accountSum2 is the checksum of an account as version 2 had it.
func accountSum2(p *store.Account) kept.Sum {
	return kept.Sum(0).Text(p.ID).Text(p.Name).Bytes(p.Salt).Int(store.Milli(p.Born)).Bytes(p.More)
}

// each calls row with each row of an answer.
func each(tx *sql.Tx, query string, row func(scan) error) error {
	rows, err := tx.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // what went wrong is told by Err
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
