-- A box is kept with the tables that are played with it, and goes with the last.
CREATE TABLE boxed (
	serial INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
	box    TEXT    NOT NULL REFERENCES boxes,
	sum    INTEGER NOT NULL
) STRICT;
CREATE INDEX boxed_by ON boxed (box);

-- When a person was last here, so that guests who never come back can go.
ALTER TABLE people ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
CREATE INDEX people_seen ON people (seen, id) WHERE seen > 0;

-- Which tables name a box, and since when people are missed: going.go finds out.
