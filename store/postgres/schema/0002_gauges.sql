-- How often something was done, for limits of the whole house: the time at which it
-- will be made up for, in nanoseconds since 1970. Without a checksum: a gauge that
-- lies too far ahead counts as none, and any other costs somebody a wait at most.
CREATE TABLE gauges (
	name text COLLATE "C" PRIMARY KEY,
	at   bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX gauges_at ON gauges (at);
