-- What tables a node can read, in words of the hall. Nodes of the version before say
-- nothing.
ALTER TABLE nodes ADD COLUMN knows bytea NOT NULL DEFAULT '';
