-- How often a person was changed, so that of two who change them at the same time
-- one is told. The checksum covers it where it is not 0.
ALTER TABLE people ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- Who looks at a table that is due, for a while: a claim counts as long as the table
-- wants to be looked at at that time.
CREATE TABLE claims (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	wake   INTEGER NOT NULL,
	until  INTEGER NOT NULL,
	sum    INTEGER NOT NULL
) STRICT;
