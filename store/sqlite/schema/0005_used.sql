-- The day on which a pass was last used; 0 where nobody noted it. Its checksum
-- covers it where it is not 0.
ALTER TABLE passes ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
