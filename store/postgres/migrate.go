package postgres

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"copse/store"
)

//go:embed schema/*.sql
var schema embed.FS

// schemaName is the schema of the database in which everything lies.
const schemaName = "copse"

// The locks that nodes hold against each other: to bring the database up to date,
// to make tables, to copy everything, and to put a copy of another database here.
const (
	migrating  = 0x436f5053_01
	copying    = 0x436f5053_03
	filling    = 0x436f5053_04
	makingLock = "289630343938" // 0x436f5053_02
)

// migrations bring a database from version n to n+1, by the order of their names. One
// that was released never changes. Each only adds, so that nodes of the version
// before go on with what it leaves: they are replaced one after the other.
var migrations = mustRead(schema, "schema")

type migration struct{ name, sql string }

func mustRead(files fs.FS, folder string) []migration {
	list, err := readMigrations(files, folder)
	if err != nil {
		panic(err)
	}
	return list
}

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
		list = append(list, migration{e.Name(), string(text)})
	}
	return slices.Clip(list), nil
}

// ErrHouse refuses a database of another house.
var ErrHouse = errors.New("store: the database belongs to a house with another key: give this node the key that the others have, or a database of its own")

// ErrForeign refuses a database of another program.
var ErrForeign = errors.New("store: the database has no house in it, it may be that of another program: give Copse one of its own")

// ErrRole refuses a role that may not make what a house needs.
var ErrRole = errors.New("store: the role may not make the schema \"" + schemaName + "\", or not change what is in it: let it CREATE in this database, or give it one of its own")

// Taken tells whether a database belongs to a house already.
func Taken(ctx context.Context, url string) (bool, error) {
	is, _, err := peek(ctx, url)
	return is.keyed, err
}

// Prepare brings a database to the version that this program knows, and takes it for
// no house yet.
func Prepare(ctx context.Context, url string) error {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("store: the address of the database cannot be read: %w", err)
	}
	prepare(config.ConnConfig, Options{})
	return migrate(ctx, config.ConnConfig, nameOf(config.ConnConfig), migrations, Options{})
}

// migrate brings a database to the last version, one transaction a step, and takes
// it for the house of a key, unless a copy is to go into it. Of several nodes that
// start at the same time one does so, and the others wait.
func migrate(ctx context.Context, config *pgx.ConnConfig, name string, list []migration, o Options) (err error) {
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return bad(err)
	}
	defer func() { err = errors.Join(err, c.Close(context.WithoutCancel(ctx))) }()
	for {
		version, err := versionOf(ctx, c, name, len(list))
		if err != nil {
			return bad(err)
		}
		if version >= len(list) {
			if o.Fill != "" { // it is claimed for the copy, under a lock
				return nil
			}
			if err := claimHouse(ctx, c, o.Key); err != nil || len(list) < len(migrations) {
				return bad(err)
			}
			return allowed(ctx, c, name)
		}
		if err := step(ctx, c, list[version], version); err != nil {
			if code(err) == noRight {
				err = fmt.Errorf("%w (%w)", ErrRole, err)
			}
			return fmt.Errorf("store: migration %s failed and was undone, the database is still of version %d: %w", list[version].name, version, err)
		}
	}
}

// versionOf is the version of a database, 0 where it is empty. It refuses one that this
// program may not serve.
func versionOf(ctx context.Context, c *pgx.Conn, name string, knows int) (version int, err error) {
	there := false
	if err := c.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '"+schemaName+"' AND c.relname = 'house')").Scan(&there); err != nil || !there {
		return 0, err
	}
	least := 0
	if err := c.QueryRow(ctx, "SELECT version, least FROM "+schemaName+".house").Scan(&version, &least); err != nil {
		if code(err) == noSuchColumn || errors.Is(err, pgx.ErrNoRows) {
			err = fmt.Errorf("%w: %s: %w", ErrForeign, name, err)
		}
		return 0, err
	}
	if least > knows {
		return 0, &store.Newer{File: "the database " + name, Has: version, Knows: knows}
	}
	return version, nil
}

// step does one migration, unless another node has.
func step(ctx context.Context, c *pgx.Conn, m migration, version int) error {
	return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrating)); err != nil {
			return err
		}
		is, err := versionOf(ctx, c, "", 1<<30)
		if err != nil || is != version {
			return err
		}
		if version == 0 {
			if _, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+schemaName+`;
				CREATE TABLE `+schemaName+`.house (
					one     int   PRIMARY KEY CHECK (one = 1),
					id      bytea NOT NULL, -- names this database
					key     bytea NOT NULL, -- a digest of the house's key; empty before the first node that has one
					version int   NOT NULL, -- of the database
					least   int   NOT NULL  -- the least version that a program must know to serve it
				)`); err != nil {
				return err
			}
			id := make([]byte, 16)
			if _, err := rand.Read(id); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO "+schemaName+".house VALUES (1, $1, '', 0, 0)", id); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, m.sql); err != nil {
			return err
		}
		// The version before can go on: what a migration does, it adds.
		_, err = tx.Exec(ctx, "UPDATE "+schemaName+".house SET version = $1, least = $2", version+1, max(version, 1))
		return err
	})
}

// Keyed tells whether a key is that of the house.
func (s *Store) Keyed(ctx context.Context, key []byte) (bool, error) {
	var has []byte
	err := s.row(ctx, "SELECT key FROM house", func(rows pgx.Rows) error { return rows.Scan(&has) })
	return string(has) == string(digestOf(key)), err
}

// claimHouse compares the key of the house, and sets it where there is none yet.
func claimHouse(ctx context.Context, c *pgx.Conn, key []byte) error {
	if key == nil {
		return nil
	}
	digest, has := digestOf(key), []byte(nil)
	if _, err := c.Exec(ctx, "UPDATE "+schemaName+".house SET key = $1 WHERE key = ''", digest); err != nil {
		return err
	}
	if err := c.QueryRow(ctx, "SELECT key FROM "+schemaName+".house").Scan(&has); err != nil {
		return err
	}
	if string(has) != string(digest) {
		return ErrHouse
	}
	return nil
}
