-- Small documents, each under a kind and a key. The checksum covers all of a row.
CREATE TABLE papers (
	until   bigint NOT NULL,
	version bigint NOT NULL, -- how often it was written, at least once
	sum     int    NOT NULL,
	owner   text COLLATE "C" REFERENCES people ON DELETE CASCADE, -- NULL for the house's own
	kind    bytea  NOT NULL, -- kind and key may be any bytes
	key     bytea  NOT NULL,
	body    bytea  NOT NULL,
	PRIMARY KEY (kind, key)
);
CREATE INDEX papers_of ON papers (owner, kind, key) WHERE owner IS NOT NULL;
CREATE INDEX papers_until ON papers (until, kind, key) WHERE until > 0;

-- Writes papers, a list for each column, "version" being the one that was read, or ends
-- the transaction: so whatever is written by the same statement is written with them or
-- not at all. The caller gives them in the order of their keys, so that no two writers
-- wait for each other.
CREATE FUNCTION write_papers(kinds bytea[], keys bytea[], owners text[], untils bigint[], versions bigint[], sums int[], bodies bytea[]) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. cardinality(kinds) LOOP
		IF bodies[i] = '' THEN
			IF versions[i] = 0 THEN
				PERFORM 1 FROM papers WHERE kind = kinds[i] AND key = keys[i];
				IF NOT FOUND THEN
					CONTINUE;
				END IF;
				RAISE EXCEPTION 'a paper is there already' USING ERRCODE = 'PP001';
			END IF;
			DELETE FROM papers WHERE kind = kinds[i] AND key = keys[i] AND version = versions[i];
		ELSE
			IF owners[i] <> '' THEN
				PERFORM 1 FROM people WHERE id = owners[i];
				IF NOT FOUND THEN
					RAISE EXCEPTION 'the owner of a paper is no account' USING ERRCODE = 'PP002';
				END IF;
			END IF;
			IF versions[i] = 0 THEN
				INSERT INTO papers (kind, key, owner, until, version, sum, body) VALUES (kinds[i], keys[i], nullif(owners[i], ''), untils[i], 1, sums[i], bodies[i]) ON CONFLICT DO NOTHING;
			ELSE
				UPDATE papers SET owner = nullif(owners[i], ''), until = untils[i], version = version + 1, sum = sums[i], body = bodies[i] WHERE kind = kinds[i] AND key = keys[i] AND version = versions[i];
			END IF;
		END IF;
		IF NOT FOUND THEN
			RAISE EXCEPTION 'a paper has changed' USING ERRCODE = 'PP001';
		END IF;
	END LOOP;
	RETURN true;
END $$;
