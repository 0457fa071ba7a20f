-- Where everything was copied to, so that nobody serves it from here any more; empty
-- as long as it was not.
ALTER TABLE house ADD COLUMN moved TEXT NOT NULL DEFAULT '';
