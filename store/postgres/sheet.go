package postgres

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"

	"copse/store"
	"copse/store/kept"
)

// The checksums of rows. They begin with the name of the table, not with its serial,
// which is not known before a table is there.

func headSum(id string, next int, packed bool, changed int64) int32 {
	return int32(kept.Sum(0).Text(id).Int(int64(next)).Int(number(packed)).Int(changed))
}

// bornSum is of what never changes; the serial is added in the database.
func bornSum(id string, game []byte) int32 { return int32(kept.Sum(0).Text(id).Bytes(game)) }

// withSerial is what the database makes of a sum: sum # (serial % 2147483647)::int.
func withSerial(sum int32, serial int64) int32 { return sum ^ int32(serial%2147483647) }

func rowSum(id string, r *store.Row) int32 {
	return int32(kept.Sum(0).Text(id).Int(number(r.Listed)).Int(number(r.Over)).Int(int64(r.Turn)).Int(store.Milli(r.Wake)).Bytes(r.About).Bytes(r.Private).Int(int64(len(r.Sitting))))
}

func entrySum(id string, number int, at int64, body []byte) int32 {
	return int32(kept.Sum(0).Text(id).Int(int64(number)).Int(at).Bytes(body))
}

func keySum(id string, number int) kept.Sum { return kept.Sum(0).Text(id).Int(int64(number)) }

func jobSum(j *store.Job) int32 {
	return int32(kept.Sum(0).Text(j.Kind).Text(j.Name).Bytes(j.Body))
}

// seatHash is of what a row of "seats" says. Those of a table, one XOR the other,
// are the checksum of all: so the database can take one away by itself.
func seatHash(id string, seat int, account string, over bool) int64 {
	h := fnv.New64a()
	h.Write(strconv.AppendInt(append(append([]byte(id), 0), account...), int64(seat)<<1|number(over), 10))
	return int64(h.Sum64())
}

// seated is the checksum of who sits at a table.
func seated(id string, sitting []string, over bool) (all int64) {
	for seat, account := range sitting {
		if account != "" {
			all ^= seatHash(id, seat, account, over)
		}
	}
	return all
}

func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// sheet is what a batch of appends gives the database: a list for each column.
type sheet struct {
	id                        []string
	next, till, head, since   []int32
	changed, key, serial      []int64
	once                      [][]byte
	rowed, listed, over       []bool
	turn, sum, seats          []int32
	wake, seated, mark        []int64
	about, beside             [][]byte
	sitting                   []string // "0:anna:hash 1:ben:hash"
	game, box                 [][]byte
	born, boxSum              []int32
	hash                      []string
	entry, entrySum           []int32
	body                      [][]byte
	jobSum                    []int32
	entryOf, jobOf, jobDue    []int64
	jobKind, jobName, jobBody [][]byte
}

// add adds an append; known are the keys of its log that are remembered.
func (b *sheet) add(a *store.Append, known *usedOf) {
	n := int64(len(b.id) + 1)
	at, till := store.Milli(a.At), a.Next+len(a.Entries)
	b.id = append(b.id, a.Table)
	b.next, b.till = append(b.next, int32(a.Next)), append(b.till, int32(till))
	b.changed, b.head = append(b.changed, at), append(b.head, headSum(a.Table, till, false, at))
	k := kept.Key{}
	if a.Once.Key != "" {
		k.Key, k.Asked = a.Once.Digest()
		k.Till, k.Answer = till, a.Once.Answer
	}
	b.key = append(b.key, k.Key)
	b.once = append(b.once, k.Write(keySum(a.Table, a.Next)))
	serial, since := int64(0), 0
	switch {
	case known != nil:
		serial, since = known.serial, min(known.next, a.Next)
	case a.Once.Key == "":
		since = a.Next // nothing is looked for
	}
	b.serial, b.since = append(b.serial, serial), append(b.since, int32(since))
	r := a.Row
	if r == nil {
		r = &store.Row{}
	}
	b.rowed = append(b.rowed, a.Row != nil)
	b.listed, b.over = append(b.listed, r.Listed), append(b.over, r.Over)
	b.turn, b.wake = append(b.turn, int32(r.Turn)), append(b.wake, store.Milli(r.Wake))
	b.about, b.beside = append(b.about, blob(r.About)), append(b.beside, blob(r.Private))
	b.sum, b.seats = append(b.sum, rowSum(a.Table, r)), append(b.seats, int32(len(r.Sitting)))
	b.seated, b.mark = append(b.seated, seated(a.Table, r.Sitting, r.Over)), append(b.mark, rand.Int64())
	var who []byte
	for seat, account := range r.Sitting {
		if account == "" {
			continue
		}
		if len(who) > 0 {
			who = append(who, ' ')
		}
		who = append(strconv.AppendInt(who, int64(seat), 10), ':')
		who = append(append(who, account...), ':')
		who = strconv.AppendInt(who, seatHash(a.Table, seat, account, r.Over), 10)
	}
	b.sitting = append(b.sitting, string(who))
	game := []byte(r.Game)
	b.game, b.born = append(b.game, blob(game)), append(b.born, bornSum(a.Table, game))
	hash, boxSum := "", int32(0)
	if a.Box != nil {
		hash = store.BoxHash(a.Box)
		boxSum = boxedSum(a.Table, hash)
	}
	b.hash, b.box, b.boxSum = append(b.hash, hash), append(b.box, blob(a.Box)), append(b.boxSum, boxSum)
	for i, body := range a.Entries {
		b.entryOf, b.entry = append(b.entryOf, n), append(b.entry, int32(a.Next+i))
		b.body, b.entrySum = append(b.body, blob(body)), append(b.entrySum, entrySum(a.Table, a.Next+i, at, body))
	}
	for i := range a.Jobs {
		j := &a.Jobs[i]
		if j.Name != "" && replaced(a.Jobs[i+1:], j) {
			continue
		}
		b.job(n, j)
	}
}

func (b *sheet) job(n int64, j *store.Job) {
	b.jobOf, b.jobDue, b.jobSum = append(b.jobOf, n), append(b.jobDue, store.Milli(j.Due)), append(b.jobSum, jobSum(j))
	b.jobKind, b.jobName, b.jobBody = append(b.jobKind, []byte(j.Kind)), append(b.jobName, []byte(j.Name)), append(b.jobBody, blob(j.Body))
}

// replaced tells whether a later job takes the place of one.
func replaced(later []store.Job, j *store.Job) bool {
	for i := range later {
		if later[i].Kind == j.Kind && later[i].Name == j.Name {
			return true
		}
	}
	return false
}

// Lists of a kind that the driver would look through by reflection are handed over as
// what it makes of the others.
type (
	flags = pgtype.FlatArray[bool]
	blobs = pgtype.FlatArray[[]byte]
)

// args are the lists, as the queries name them.
func (b *sheet) args(kind kind) []any {
	args := []any{b.id, b.next, b.till, b.changed, b.head, b.key, blobs(b.once), flags(b.listed), flags(b.over), b.turn, b.wake, blobs(b.about), blobs(b.beside), b.sum, b.seats, b.seated, b.sitting, b.mark,
		b.entryOf, b.entry, blobs(b.body), b.entrySum, b.jobOf, b.jobDue, b.jobSum, blobs(b.jobKind), blobs(b.jobName), blobs(b.jobBody)}
	if kind == growing {
		return append(args, flags(b.rowed), b.serial, b.since)
	}
	return append(args, blobs(b.game), b.born, b.hash, blobs(b.box), b.boxSum)
}

// What both queries have in common: the lists of a batch, and what follows from the
// appends that have won. In "won" there are n, serial, next, changed, key, once, over,
// sitting and whether the seats have changed. Who is deleted sits nowhere.
//
// The planner does not know how long lists are, and takes them for short. A full join
// is always made by a hash; any other would compare each with each. A lateral query
// with an offset is always asked row by row; any other might walk through all people.
const (
	lists = `unnest($1::text[], $2::int4[], $3::int4[], $4::int8[], $5::int4[], $6::int8[], $7::bytea[], $8::bool[], $9::bool[], $10::int4[], $11::int8[],
		$12::bytea[], $13::bytea[], $14::int4[], $15::int4[], $16::int8[], $17::text[], $18::int8[]`
	columns = `id, next, till, changed, head, key, once, listed, over, turn, wake, about, beside, sum, seats, seated, sitting, mark`

	sitters = `coalesce((SELECT bit_xor(split_part(w, ':', 3)::int8) FROM unnest(string_to_array(a.sitting, ' ')) w` + person + `), 0)`
	person  = ` CROSS JOIN LATERAL (SELECT id FROM people WHERE id = split_part(w, ':', 2) OFFSET 0) p`

	follows = `, risen AS (
		DELETE FROM seats WHERE serial = ANY (ARRAY(SELECT serial FROM won WHERE reseated)) RETURNING 1
	), sit AS (
		INSERT INTO seats (serial, hash, seat, over, person)
		SELECT won.serial, split_part(w, ':', 3)::int8, split_part(w, ':', 1)::int4, won.over, p.id
		FROM (SELECT count(*) AS n FROM risen) r, won CROSS JOIN LATERAL unnest(string_to_array(won.sitting, ' ')) w` + person + `
		WHERE won.reseated AND r.n >= 0
	), grown AS MATERIALIZED (
		SELECT won.serial, won.changed, won.next, won.key, won.once, e.number, e.sum, e.body
		FROM unnest($19::int8[], $20::int4[], $21::bytea[], $22::int4[]) AS e (n, number, body, sum) FULL JOIN won ON won.n = e.n
	), written AS (
		INSERT INTO entries (serial, at, key, number, sum, body, once)
		SELECT serial, changed, CASE WHEN number = next THEN key ELSE 0 END, number, sum, body, CASE WHEN number = next THEN once ELSE '' END
		FROM grown WHERE serial IS NOT NULL AND number IS NOT NULL
	), planned AS (
		INSERT INTO jobs (due, tries, sum, kind, name, body)
		SELECT j.due, 0, j.sum, j.kind, j.name, j.body
		FROM unnest($23::int8[], $24::int8[], $25::int4[], $26::bytea[], $27::bytea[], $28::bytea[]) AS j (n, due, sum, kind, name, body) JOIN won ON won.n = j.n
		ON CONFLICT (kind, name) WHERE name <> '' DO UPDATE SET id = excluded.id, due = excluded.due, tries = 0, sum = excluded.sum, body = excluded.body
	)`
)

// growQuery appends to logs that there are. An append wins if its log goes on where
// its writer believes and its key is new; what the node does not remember of the log
// is looked through for the key, and its keys are told.
//
// The row that is compared is the newest, entries and seats are those that were there
// when the statement began. They belong together: where the log has grown in between
// the row says another number, and where the seats have changed, another mark than it
// said then. Whoever loses by that tries again.
const growQuery = `WITH a AS (
		SELECT * FROM ` + lists + `, $29::bool[], $30::int8[], $31::int4[]) WITH ORDINALITY AS a (` + columns + `, rowed, serial, since, n)
	), won AS (
		UPDATE tables t SET next = a.till, changed = a.changed, head = a.head,
			listed = CASE WHEN a.rowed THEN a.listed ELSE t.listed END,
			over = CASE WHEN a.rowed THEN a.over ELSE t.over END,
			turn = CASE WHEN a.rowed THEN a.turn ELSE t.turn END,
			wake = CASE WHEN a.rowed THEN a.wake ELSE t.wake END,
			about = CASE WHEN a.rowed THEN a.about ELSE t.about END,
			beside = CASE WHEN a.rowed THEN a.beside ELSE t.beside END,
			sum = CASE WHEN a.rowed THEN a.sum ELSE t.sum END,
			seats = CASE WHEN a.rowed THEN a.seats ELSE t.seats END,
			seated = CASE WHEN a.rowed AND a.seated <> t.seated THEN ` + sitters + ` ELSE t.seated END,
			sat = CASE WHEN a.rowed AND a.seated <> t.seated THEN a.mark ELSE t.sat END
		FROM a
		WHERE t.id = a.id AND t.next = a.next AND NOT t.packed AND (a.serial = 0 OR t.serial = a.serial)
			AND (NOT a.rowed OR a.seated = t.seated OR t.sat = (SELECT o.sat FROM tables o WHERE o.serial = t.serial))
			AND (a.key = 0 OR a.since >= a.next OR NOT EXISTS (SELECT 1 FROM entries e WHERE e.serial = t.serial AND e.number >= a.since AND e.key = a.key))
		RETURNING a.n, t.serial, a.next, a.since, a.changed, a.key, a.once, a.over, a.sitting, t.sat = a.mark AS reseated
	)` + follows + `
	SELECT won.n, won.serial, CASE WHEN won.since < won.next THEN ARRAY(SELECT e.key FROM entries e WHERE e.serial = won.serial AND e.number >= won.since AND e.number < won.next AND e.key <> 0) END FROM won`

// withPapers are the same for one append with papers, which are written if it wins; if
// they cannot be, nothing of it is.
var withPapers = map[kind]string{growing: growQuery + " WHERE " + writePapers(32), founding: foundQuery + " WHERE " + writePapers(34)}

// foundQuery makes tables, one after the other at all nodes. The lock is held until
// they can be seen.
const foundQuery = `WITH lock AS MATERIALIZED (
		SELECT pg_advisory_xact_lock(` + makingLock + `)::text AS held
	), a AS (
		SELECT * FROM ` + lists + `, $29::bytea[], $30::int4[], $31::text[], $32::bytea[], $33::int4[]) WITH ORDINALITY AS a (` + columns + `, game, born, hash, box, boxsum, n)
	), made AS (
		INSERT INTO tables (serial, changed, wake, seated, sat, next, head, born, sum, turn, seats, packed, listed, over, id, game, about, beside)
		SELECT a.serial, a.changed, a.wake, a.xor, a.mark, a.till, a.head, a.born # (a.serial % 2147483647)::int4, a.sum, a.turn, a.seats, false, a.listed, a.over, a.id, a.game, a.about, a.beside
		FROM (SELECT a.*, nextval('serials') AS serial, ` + sitters + ` AS xor FROM (SELECT a.* FROM a, lock WHERE lock.held = '' ORDER BY a.n) a) a
		ON CONFLICT (id) DO NOTHING
		RETURNING serial, id
	), met AS MATERIALIZED (
		SELECT a.n, made.serial, a.next, a.changed, a.key, a.once, a.over, a.sitting, a.sitting <> '' AS reseated, a.hash, a.box, a.boxsum FROM made FULL JOIN a ON a.id = made.id
	), won AS MATERIALIZED (
		SELECT * FROM met WHERE serial IS NOT NULL
	)` + follows + `, packed AS (
		INSERT INTO boxes (hash, body) SELECT hash, box FROM won WHERE hash <> '' ORDER BY hash ON CONFLICT DO NOTHING
	), labelled AS (
		INSERT INTO boxed (serial, sum, box) SELECT serial, boxsum, hash FROM won WHERE hash <> ''
	)
	SELECT won.n, won.serial, NULL::int8[] FROM won`
