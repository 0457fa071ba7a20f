package sqlite

import (
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

//go:embed schema/*.sql
var schema embed.FS

// migrations bring a database from version n to n+1, by the order of their names.
// One that was released never changes.
var migrations = mustRead(schema, "schema")

func mustRead(files fs.FS, folder string) []migration {
	list, err := readMigrations(files, folder)
	if err != nil {
		panic(err)
	}
	return list
}

// migration is one step. What SQL cannot do is done after it, in the same
// transaction.
type migration struct {
	name, sql string
	after     func(*sql.Tx) error
}

// afterwards is what SQL cannot do.
var afterwards = map[string]func(*sql.Tx) error{"0002_parts.sql": shorten, "0003_going.sql": fillGoing}

func readMigrations(files fs.FS, folder string) ([]migration, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, err
	}
	var list []migration
	for i, e := range entries {
		if want := fmt.Sprintf("%04d_", i+1); len(e.Name()) < len(want) || e.Name()[:len(want)] != want {
			return nil, fmt.Errorf("store: migration %s should be called %s…: there is a gap", e.Name(), want)
		}
		text, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, migration{e.Name(), string(text), afterwards[e.Name()]})
	}
	return slices.Clip(list), nil
}

// migrate brings a database to the last version, one transaction a step: a step
// that fails leaves the version before it. It calls before once, ahead of the first
// step, where the database is not new.
func migrate(db *sql.DB, list []migration, before func(version int) error) error {
	var version int
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return bad(err)
	}
	if version > 0 && version < len(list) {
		if err := before(version); err != nil {
			return err
		}
	}
	for ; version < len(list); version++ {
		if err := step(db, list[version], version+1); err != nil {
			return fmt.Errorf("store: migration %s failed and was undone, the database is still of version %d: %w", list[version].name, version, unwritten(err))
		}
	}
	return nil
}

func step(db *sql.DB, m migration, version int) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	if _, err := tx.Exec(m.sql); err != nil {
		return err
	}
	if m.after != nil {
		if err := m.after(tx); err != nil {
			return err
		}
	}
	for _, text := range []string{applicationPragma, fmt.Sprintf("PRAGMA user_version = %d", version)} {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	return tx.Commit()
}
