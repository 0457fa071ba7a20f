package sqlite

import (
	"context"
	"time"

	"copse/store"
)

func personSum(p *store.Person) sum {
	return sum(0).text(p.ID).text(p.Name).bytes(p.Salt).int(store.Milli(p.Born)).bytes(p.More).int(store.Milli(p.Seen))
}

const personColumns = "id, name, salt, born, beside, seen, sum"

func scanPerson(scan scan) (store.Person, error) {
	var p store.Person
	var born, seen, was int64
	if err := scan(&p.ID, &p.Name, &p.Salt, &born, &p.More, &seen, &was); err != nil {
		return store.Person{}, err
	}
	p.Born, p.Seen = store.Time(born), store.Time(seen)
	if int64(personSum(&p)) != was {
		return store.Person{}, &store.Damage{Number: -1, What: "the row of person " + p.ID + " does not have its checksum"}
	}
	return p, nil
}

func fitsPerson(p *store.Person) error {
	if !store.ValidID(p.ID) {
		return store.ErrID
	}
	return within(
		limit{"bytes of a name", len(p.Name), store.LongestName},
		limit{"bytes of a salt", len(p.Salt), store.LongestName},
		limit{"bytes beside a person", len(p.More), store.LargestExtra})
}

// AddPerson adds a person.
func (s *Store) AddPerson(ctx context.Context, p store.Person) error {
	if err := fitsPerson(&p); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		n, err := t.change("INSERT INTO people ("+personColumns+") VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			p.ID, p.Name, blob(p.Salt), store.Milli(p.Born), blob(p.More), store.Milli(p.Seen), int64(personSum(&p)))
		if err == nil && n == 0 {
			return store.ErrTaken
		}
		return err
	})
}

// Person is a person.
func (s *Store) Person(ctx context.Context, person string) (p store.Person, err error) {
	err = s.row(ctx, "SELECT "+personColumns+" FROM people WHERE id = ?", func(scan scan) (err error) {
		p, err = scanPerson(scan)
		return err
	}, person)
	return p, err
}

// person is a person as the transaction sees them.
func (t *tx) person(person string) (p store.Person, err error) {
	err = t.row("SELECT "+personColumns+" FROM people WHERE id = ?", func(scan scan) (err error) {
		p, err = scanPerson(scan)
		return err
	}, person)
	return p, err
}

// SetPerson changes a person's name and More.
func (s *Store) SetPerson(ctx context.Context, p store.Person) error {
	if err := fitsPerson(&p); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		was, err := t.person(p.ID)
		if err != nil {
			return err
		}
		was.Name, was.More = p.Name, p.More
		return t.exec("UPDATE people SET name = ?, beside = ?, sum = ? WHERE id = ?", was.Name, blob(was.More), int64(personSum(&was)), was.ID)
	})
}

// Saw notes when a person was here.
func (s *Store) Saw(ctx context.Context, person string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		p, err := t.person(person)
		if err != nil || !at.IsZero() && !at.After(p.Seen) {
			return err
		}
		p.Seen = at
		return t.exec("UPDATE people SET seen = ?, sum = ? WHERE id = ?", store.Milli(at), int64(personSum(&p)), p.ID)
	})
}

// Unseen are people who have not been here since a time.
func (s *Store) Unseen(ctx context.Context, since time.Time, after store.Person, most int) ([]store.Person, error) {
	list := []store.Person{}
	err := s.rows(ctx, "SELECT "+personColumns+" FROM people WHERE seen > 0 AND seen < ? AND (seen, id) > (?, ?) ORDER BY seen, id LIMIT ?", func(scan scan) error {
		p, err := scanPerson(scan)
		list = append(list, p)
		return err
	}, store.Milli(since), store.Milli(after.Seen), after.ID, page(most))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// DeletePerson forgets a person. Passes and lines of chat go with the row.
func (s *Store) DeletePerson(ctx context.Context, person string) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.row("SELECT id FROM people WHERE id = ?", func(scan) error { return nil }, person); err != nil {
			return err
		}
		if err := t.leave(person); err != nil {
			return err
		}
		return t.exec("DELETE FROM people WHERE id = ?", person)
	})
}

// leave takes a person from all their seats.
func (t *tx) leave(person string) error {
	var list []store.Listing
	if err := t.rows("SELECT "+listing+" FROM tables t WHERE t.serial IN (SELECT serial FROM seats WHERE person = ?)", func(scan scan) error {
		l, err := scanListing(scan)
		list = append(list, l)
		return err
	}, person); err != nil {
		return err
	}
	clear(t.heads)
	for _, l := range list {
		for i := range l.Sitting {
			if l.Sitting[i] == person {
				l.Sitting[i] = ""
			}
		}
		h := head{serial: l.Serial, id: l.ID, game: l.Game, next: l.Next, packed: l.Packed, seats: len(l.Sitting), seated: seated(l.Sitting, l.Over), changed: store.Milli(l.Changed)}
		if err := t.exec("UPDATE tables SET seated = ?, head = ? WHERE serial = ?", h.seated, int64(h.sum()), h.serial); err != nil {
			return err
		}
	}
	return t.exec("DELETE FROM seats WHERE person = ?", person)
}
