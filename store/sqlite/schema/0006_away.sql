-- How long the house was away in all, up to the last beat. The checksum covers it
-- where it is not 0.
ALTER TABLE beats ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
