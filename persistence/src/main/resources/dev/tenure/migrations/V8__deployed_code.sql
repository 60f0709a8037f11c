-- The code that a node has: its workflow types with their versions, and its activities, as JSON. Null
-- until the node has said so. It is text because names may contain what jsonb refuses.
ALTER TABLE cluster_member ADD COLUMN deployed text;
