-- Small documents, each under a kind and a key. The checksum covers all of a row.
CREATE TABLE papers (
	kind    BLOB    NOT NULL, -- kind and key are blobs: any bytes, in the order of bytes
	key     BLOB    NOT NULL,
	owner   TEXT    REFERENCES people ON DELETE CASCADE, -- NULL for the house's own
	until   INTEGER NOT NULL,
	version INTEGER NOT NULL, -- how often it was written, at least once
	sum     INTEGER NOT NULL,
	body    BLOB    NOT NULL,
	PRIMARY KEY (kind, key)
) STRICT;
CREATE INDEX papers_of ON papers (owner, kind, key) WHERE owner IS NOT NULL;
CREATE INDEX papers_until ON papers (until, kind, key) WHERE until > 0;
