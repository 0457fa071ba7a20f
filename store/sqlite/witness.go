package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	lib "modernc.org/sqlite/lib"

	"copse/store"
)

// witness is a small file beside the database that knows the last transaction that
// was acknowledged. It is written after the sync and not synced itself, so it may
// know less than the database, but never more: if it does, the database has lost
// something that was acknowledged.
//
// It holds the name of the database, the number of the transaction, and a checksum.
// A witness that cannot be read says nothing.
type witness struct {
	file *os.File
	id   []byte
}

const (
	idSize      = 16
	witnessSize = idSize + 8 + 4
)

// headerOfLog is how many bytes come before the first page of a log file.
const headerOfLog = 32

func (l location) witness() string { return l.file + "-witness" }

// testimony is what the witness says.
func (l location) testimony() (id []byte, batch int64, ok bool) {
	b, err := os.ReadFile(l.witness())
	if err != nil || len(b) != witnessSize || store.Sum(b[:idSize+8]) != binary.BigEndian.Uint32(b[idSize+8:]) {
		return nil, 0, false
	}
	return b[:idSize], int64(binary.BigEndian.Uint64(b[idSize:])), true
}

// examine looks at a database before anything in it is touched, so that the
// operator can still look into what is wrong: whether it is one that this program
// knows, and whether everything is there that its witness has seen. It leaves the
// memory that a killed process has shared alone too, if it is there.
//
// A process may have been killed between the header of a new log file and its first
// page. Without the shared memory SQLite cannot read such a log file: it tries for
// ten seconds and gives up. But then everything is in the database itself, which is
// read alone.
func (l location) examine() (err error) {
	hows, there := []string{"mode=ro"}, l.there()
	if there["-wal"] == headerOfLog {
		defer func() {
			if err != nil && l.there()["-wal"] != headerOfLog {
				err = l.examine() // somebody else writes to it
			}
		}()
		hows = []string{"mode=ro&immutable=1"}
	} else if _, shared := there["-shm"]; shared {
		hows = []string{"mode=ro&readonly_shm=1", "mode=ro"}
	}
	for _, how := range hows {
		db, trouble := l.connect(1, how)
		if trouble != nil {
			return trouble
		}
		err = errors.Join(l.compare(db), db.Close())
		if c := code(err) & 0xff; c != lib.SQLITE_READONLY && c != lib.SQLITE_CANTOPEN {
			return err
		}
	}
	if code(err)&0xff == lib.SQLITE_READONLY {
		return nil // it was killed while it was made, and must be written to be read
	}
	return err
}

func (l location) compare(db *sql.DB) error {
	version, err := l.known(db, 0)
	if err != nil {
		return err
	}
	var id []byte
	var batch int64
	if version > 0 {
		if err := db.QueryRow("SELECT id, batch FROM house").Scan(&id, &batch); err != nil {
			return bad(err)
		}
		if len(id) != idSize {
			return &store.Damage{Number: -1, What: "it has lost its own name"}
		}
	}
	name, seen, ok := l.testimony()
	if !ok {
		return nil
	}
	onPurpose := fmt.Sprintf("; if you have put another copy in its place on purpose, delete %s", l.witness())
	switch {
	case !bytes.Equal(id, name):
		return &store.Damage{Number: -1, What: fmt.Sprintf("it is not the one that was here: %d transactions were acknowledged, and perhaps %s-wal was lost", seen, l.file) + onPurpose}
	case batch < seen:
		return &store.Damage{Number: -1, What: fmt.Sprintf(
			"its last transaction is number %d, but %d was acknowledged: the end is missing, perhaps because %s-wal was lost or is damaged", batch, seen, l.file) + onPurpose}
	}
	return nil
}

// meet gives a database its witness.
func (l location) meet(t *tx) (*witness, error) {
	w := &witness{}
	var batch int64
	if err := t.row("SELECT id, batch FROM house", func(scan scan) error { return scan(&w.id, &batch) }); err != nil {
		return nil, bad(err)
	}
	var err error
	if w.file, err = os.OpenFile(l.witness(), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, fmt.Errorf("store: no witness of what is acknowledged: %w", err)
	}
	w.saw(batch)
	return w, nil
}

// saw notes a transaction as acknowledged. Where that fails the witness knows less,
// and one check is weaker.
func (w *witness) saw(batch int64) {
	b := make([]byte, 0, witnessSize)
	b = binary.BigEndian.AppendUint64(append(b, w.id...), uint64(batch))
	_, _ = w.file.WriteAt(binary.BigEndian.AppendUint32(b, store.Sum(b)), 0)
}

func (w *witness) close() error { return w.file.Close() }
