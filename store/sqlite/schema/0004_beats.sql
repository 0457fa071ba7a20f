-- When the house was last at work: one row, once it was.
CREATE TABLE beats (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	at  INTEGER NOT NULL,
	sum INTEGER NOT NULL
) STRICT;

-- When it was away, as long as an open table may have to know.
CREATE TABLE outages (
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL,
	sum   INTEGER NOT NULL
) STRICT;
