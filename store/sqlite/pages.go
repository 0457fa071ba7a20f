package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// fullLog is how many pages the log file holds before they are brought home into
// the database file: 40 MB. The pages of busy tables are written again and again and
// come home once, and while pages come home moves take longer to be synced; but every
// start reads whatever is in the log file.
const fullLog = 10000

// logFrame is how many bytes a page takes in the log file.
const logFrame = 24 + 4096

// The log file must never take the last space of a disk: its pages could not come
// home, and it could not give any space back. So pages also come home where the disk
// does not have space for all of them in the database file, and for spareSpace
// besides, which one more transaction may take; but not before there are leastLog.
// Where they cannot come home, because somebody reads, the disk counts as full
// before it is.
const (
	spareSpace = 1 << 20
	leastLog   = 16
)

// readerWait is how long a write waits for somebody who still reads the log file,
// so that it can begin anew. A reader who takes longer is asked again later.
const readerWait = 20 * time.Millisecond

// pages brings what was written to the log file home into the database file, over a
// connection of its own and while writing goes on, so that no move waits for it.
// Then little is left, and the writer brings that home itself between two
// transactions: after it the log file begins anew. While somebody reads from the
// log file (a backup, in this process or another) it cannot begin anew; it grows,
// and every so often that is tried again.
type pages struct {
	db    *sql.DB
	file  string          // the log file
	free  func() int64    // bytes left on the disk, -1 where that is not known
	full  chan struct{}   // asks for it
	home  chan checkpoint // tells what came of it
	ended chan struct{}

	most    int
	log     int  // pages in the log file, counted from what SQLite found there
	due     int  // how many there are when it is asked for
	worth   int  // how many there are before it is done for the sake of space
	unasked int  // up to how many the disk need not be asked what it has left
	cramped bool // it was done in vain, and the last space is not for the log file
	asked   bool // and not yet told
}

// turn begins to bring pages home. The log file has so many by now.
func (l location) turn(log int, fail func(error)) (*pages, error) {
	db, err := l.connect(1, "")
	if err != nil {
		return nil, err
	}
	g := &pages{db: db, file: l.file + "-wal", most: cmp.Or(l.full, fullLog), log: log, free: l.free,
		full: make(chan struct{}, 1), home: make(chan checkpoint, 1), ended: make(chan struct{})}
	g.due, g.worth = g.most, leastLog
	if g.free == nil {
		folder := filepath.Dir(l.file)
		g.free = func() int64 { return freeSpace(folder) }
	}
	go func() {
		defer close(g.ended)
		for range g.full {
			c := bringHome(db, "PASSIVE")
			if unsynced(c.err) {
				fail(c.err) // also where nobody writes
			}
			g.home <- c
		}
	}()
	return g, nil
}

// count is called by the writer after each transaction.
func (g *pages) count(t *tx) error {
	if n, err := t.written(); err == nil {
		g.log += n
	}
	select {
	case c := <-g.home:
		g.asked = false
		if c.err == nil && !c.busy {
			c = g.restart(t)
		}
		g.settle(c)
		if unsynced(c.err) {
			return c.err
		}
	default:
	}
	if g.log >= g.worth && g.log >= g.unasked && g.short(spareSpace) {
		if _, err := g.reclaim(t); err != nil {
			return err
		}
		g.cramped = g.log >= leastLog && g.short(0)
	}
	if g.log >= g.due && !g.asked {
		g.asked = true
		g.full <- struct{}{}
	}
	return nil
}

// short tells whether the disk has less space than the pages in the log file may
// need to come home, and some more. Where it has much more, it is not asked again with
// every transaction: that costs as much as writing two pages.
func (g *pages) short(more int64) bool {
	free := g.free()
	left := free - int64(g.log)*logFrame - more
	g.unasked = 0
	if left > 0 {
		g.unasked = g.log + int(min(left/logFrame/askedFor, mostUnasked))
	}
	return free >= 0 && left < 0
}

// While the log file takes an askedFor-th of the space that is left, others would have
// to take all the rest to fill the disk unseen; and they have no longer than it takes
// for mostUnasked pages.
const (
	askedFor    = 64
	mostUnasked = 64
)

// space tells, before a transaction, whether there may be another.
func (g *pages) space(t *tx) (bool, error) {
	if !g.cramped {
		return true, nil
	}
	_, err := g.reclaim(t)
	g.cramped = g.log >= leastLog && g.short(0)
	return !g.cramped, err
}

// settle notes the result of a checkpoint, and when to ask for the next.
func (g *pages) settle(c checkpoint) {
	switch {
	case c.whole():
		g.log, g.due, g.worth, g.unasked = 0, g.most, leastLog, 0
		return
	case c.log >= 0:
		g.log = c.log
	}
	g.due, g.worth = g.log+max(g.most/8, 1), g.log+leastLog
}

// restart brings home what is left and has the log file begin anew. It also cuts a
// log file that has grown far beyond its measure.
func (g *pages) restart(t *tx) checkpoint {
	if g.size() > 2*int64(g.most)*logFrame {
		return t.beginAnew("TRUNCATE")
	}
	return t.beginAnew("RESTART")
}

// reclaim makes space on a full disk: it empties the log file, as far as nobody
// reads it and the database file has space to grow. It tells whether there is
// more space now.
func (g *pages) reclaim(t *tx) (more bool, err error) {
	if g.asked {
		c := <-g.home
		g.asked = false
		if unsynced(c.err) {
			return false, c.err
		}
	}
	had := g.size()
	c := t.beginAnew("TRUNCATE")
	g.settle(c)
	if unsynced(c.err) {
		return false, c.err
	}
	return c.whole() && had > 0, nil
}

// size is how large the log file is, 0 where there is none.
func (g *pages) size() int64 {
	about, err := os.Stat(g.file)
	if err != nil {
		return 0
	}
	return about.Size()
}

func (g *pages) close() error {
	close(g.full)
	<-g.ended
	return g.db.Close()
}

// checkpoint is what came of bringing pages home.
type checkpoint struct {
	busy bool // somebody stood in the way
	log  int  // pages in the log file, -1 where that is not known
	home int  // of them in the database file by now
	err  error
}

// whole tells whether everything is in the database file.
func (c checkpoint) whole() bool { return c.err == nil && !c.busy && c.home >= c.log }

// connection is one to the database, or several.
type connection interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// bringHome brings home the pages that no reader still needs as they were. PASSIVE
// never waits; RESTART waits, as long as the connection does, until nobody reads
// the log file, which then begins anew; TRUNCATE cuts it besides.
func bringHome(conn connection, mode string) checkpoint {
	c := checkpoint{log: -1}
	c.err = conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")").Scan(&c.busy, &c.log, &c.home)
	return c
}

// patiently sets how long a connection waits for others.
func patiently(conn connection, wait time.Duration) error {
	return conn.QueryRowContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout = %d", wait.Milliseconds())).Scan(new(int))
}

// beginAnew has the log file begin anew, and waits only shortly for those who read
// it.
func (t *tx) beginAnew(mode string) checkpoint { return beginAnew(t.conn, mode) }

func beginAnew(conn connection, mode string) checkpoint {
	if err := patiently(conn, readerWait); err != nil {
		return checkpoint{log: -1, err: err}
	}
	c := bringHome(conn, mode)
	if err := patiently(conn, patience); c.err == nil {
		c.err = err
	}
	return c
}
