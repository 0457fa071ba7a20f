-- Every row carries a checksum of what it says, in "sum" or "head". Times are
-- milliseconds since 1970, 0 for none.

-- The house itself: one row.
CREATE TABLE house (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	id    BLOB    NOT NULL, -- names this database
	batch INTEGER NOT NULL  -- grows with every commit; the witness knows the last one acknowledged
) STRICT;
INSERT INTO house VALUES (1, randomblob(16), 0);

CREATE TABLE people (
	id     TEXT    NOT NULL PRIMARY KEY,
	name   TEXT    NOT NULL,
	salt   BLOB    NOT NULL,
	born   INTEGER NOT NULL,
	beside BLOB    NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;

CREATE TABLE passes (
	digest BLOB    NOT NULL PRIMARY KEY, -- of a secret that is not here
	kind   INTEGER NOT NULL,
	person TEXT    NOT NULL REFERENCES people ON DELETE CASCADE,
	born   INTEGER NOT NULL,
	until  INTEGER NOT NULL,
	note   TEXT    NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;
CREATE INDEX passes_of ON passes (person, kind, born);
CREATE INDEX passes_end ON passes (until) WHERE until > 0;

-- The index of tables. "head" is the checksum of what is before it, "sum" of
-- what follows.
CREATE TABLE tables (
	serial  INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT    NOT NULL UNIQUE,
	game    TEXT    NOT NULL,
	next    INTEGER NOT NULL, -- the number at which the log goes on
	packed  INTEGER NOT NULL,
	seats   INTEGER NOT NULL, -- how many
	seated  INTEGER NOT NULL, -- a hash of who sits, and whether the game is over
	changed INTEGER NOT NULL,
	head    INTEGER NOT NULL,
	listed  INTEGER NOT NULL,
	over    INTEGER NOT NULL,
	turn    INTEGER NOT NULL, -- bits of seats
	wake    INTEGER NOT NULL,
	about   BLOB    NOT NULL, -- compressed once the log is packed; the checksum is of what they were before
	beside  BLOB    NOT NULL,
	sum     INTEGER NOT NULL
) STRICT;
CREATE INDEX tables_listed ON tables (serial) WHERE listed = 1;
CREATE INDEX tables_listed_by_game ON tables (game, serial) WHERE listed = 1;
CREATE INDEX tables_due ON tables (wake) WHERE wake > 0;

-- Who sits where. Its checksum is "seated" of the table.
CREATE TABLE seats (
	person TEXT    NOT NULL REFERENCES people,
	over   INTEGER NOT NULL,
	serial INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
	seat   INTEGER NOT NULL,
	PRIMARY KEY (person, over, serial, seat)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX seats_at ON seats (serial, seat);

-- The logs of games that go on, clustered by table.
CREATE TABLE entries (
	serial INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	body   BLOB    NOT NULL,
	sum    INTEGER NOT NULL, -- of what is before it
	key    INTEGER NOT NULL, -- of the append that begins here, 0 for none
	once   BLOB    NOT NULL, -- what belongs to the key, with a checksum of its own
	PRIMARY KEY (serial, number)
) STRICT, WITHOUT ROWID;

-- The logs of games that are over, one row each.
CREATE TABLE packs (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	log    BLOB    NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;

-- The keys of packed logs, until they may go. They lie apart, so that packed
-- logs lie close.
CREATE TABLE keys (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	keys   BLOB    NOT NULL,
	until  INTEGER NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_until ON keys (until);

-- A cache.
CREATE TABLE snapshots (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	next   INTEGER NOT NULL,
	body   BLOB    NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;

-- How many lines were ever said at a table, and those still there.
CREATE TABLE chats (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	next   INTEGER NOT NULL
) STRICT;
CREATE TABLE lines (
	serial INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	person TEXT    NOT NULL REFERENCES people ON DELETE CASCADE,
	body   BLOB    NOT NULL,
	key    INTEGER NOT NULL,
	sum    INTEGER NOT NULL,
	PRIMARY KEY (serial, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX lines_of ON lines (person);

CREATE TABLE jobs (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	kind  TEXT    NOT NULL,
	name  TEXT    NOT NULL,
	due   INTEGER NOT NULL,
	tries INTEGER NOT NULL,
	body  BLOB    NOT NULL,
	sum   INTEGER NOT NULL -- of kind, name and body
) STRICT;
CREATE INDEX jobs_due ON jobs (kind, due, id);
CREATE UNIQUE INDEX jobs_named ON jobs (kind, name) WHERE name <> '';

-- Named by the hash of what is in it, which is its checksum too.
CREATE TABLE boxes (
	hash TEXT NOT NULL PRIMARY KEY,
	body BLOB NOT NULL
) STRICT;
