-- What each node is: its release, the newest level of formats that it reads, and by how much the clock of its
-- machine is ahead of this database's. An engine from before these columns is of the first level.
-- The level that every engine must read stands in `meta`, one row for each time that it rose: `min-reader-2`,
-- with the release that raised it. The engine's role may add such a row and cannot take one away.
ALTER TABLE cluster_member
  ADD COLUMN engine text NOT NULL DEFAULT '',
  ADD COLUMN reads int NOT NULL DEFAULT 1,
  ADD COLUMN clock_ahead_ms bigint;
