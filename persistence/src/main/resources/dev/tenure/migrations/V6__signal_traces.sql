-- The trace that a signal was sent in (W3C traceparent), for the history of whoever consumes it.
ALTER TABLE signal_inbox ADD COLUMN trace text COLLATE "C";
