-- The position of the newest signal that was accepted before the newest start of the id. It was for
-- runs before that one, and keeps no workflow due.
ALTER TABLE workflow ADD COLUMN signals_before bigint NOT NULL DEFAULT 0;
