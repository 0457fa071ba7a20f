-- Where everything was copied to, so that nobody serves it from here any more; and the
-- name of the database that is being copied here. Empty for neither.
ALTER TABLE house ADD COLUMN moved text NOT NULL DEFAULT '';
ALTER TABLE house ADD COLUMN filling text NOT NULL DEFAULT '';

-- The nodes that serve the house, each as it was when it last said so. Times are those
-- of the database. Nobody relies on it but operators, so it has no checksum.
CREATE TABLE nodes (
	id      text COLLATE "C" PRIMARY KEY,
	begun   bigint NOT NULL,
	seen    bigint NOT NULL,
	ahead   bigint NOT NULL, -- how many milliseconds the clock of its machine is ahead
	lag     bigint NOT NULL, -- how many milliseconds the news of others takes to it; -1 where it hears none
	version bytea  NOT NULL,
	host    bytea  NOT NULL
) WITH (fillfactor = 50);
