-- One row per process that holds shards: the one row that its beats rewrite. Commits never read it. A row of
-- shard_lease changes only when its holder does, so a commit finds few versions of it, however long a
-- snapshot keeps the dead ones.
--
-- The rows of shard_lease stay as they are. An engine before this migration goes by their expires_at: its
-- own beats still move it, and a row that a newer engine holds says 'infinity' there, so an older one takes
-- it only when it was released or its holder has left the cluster.
CREATE TABLE node_lease (
  incarnation bigint PRIMARY KEY, -- all that a fence compares of a holder: no two nodes may have the same
  expires_at  timestamptz NOT NULL,
  node        text COLLATE "C" NOT NULL
) WITH (fillfactor = 50); -- rewritten by every beat: room for HOT updates
