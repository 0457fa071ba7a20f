-- A packed log lies in parts: a row of half a page and more would leave the rest
-- of its page empty. Its checksum is that of the whole, and stands with part 0.
CREATE TABLE parts (
	serial INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
	part   INTEGER NOT NULL,
	log    BLOB    NOT NULL, -- 320 bytes, but for the last
	sum    INTEGER NOT NULL,
	PRIMARY KEY (serial, part)
) STRICT, WITHOUT ROWID;
INSERT INTO parts
	WITH RECURSIVE cut (serial, part, size) AS (
		SELECT serial, 0, length(log) FROM packs
		UNION ALL
		SELECT serial, part + 1, size FROM cut WHERE (part + 1) * 320 < size
	)
	SELECT serial, part, substr(log, part * 320 + 1, 320), iif(part = 0, sum, 0) FROM cut JOIN packs USING (serial);
DROP TABLE packs;

-- The keys of packed logs are kept in fewer bytes: brief.go writes them again.
