-- When the job was last told of a free slot, so that two slots that fall free at once wake two jobs.
ALTER TABLE jobs ADD COLUMN woken_at INTEGER NOT NULL DEFAULT 0;
-- When a message for the job last ended in the dead-letter queue; for the operator.
ALTER TABLE jobs ADD COLUMN dead_lettered_at INTEGER;

-- Serves the search for who waits longest, and the operator's list of one status.
DROP INDEX videos_waiting;
CREATE INDEX videos_by_status ON videos (status, created_at DESC);

-- Commands of the operator that were obeyed: a captured one is good for nothing.
CREATE TABLE admin_nonces (
  nonce TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX admin_nonces_expiry ON admin_nonces (expires_at);

-- How far a walk that takes many ticks has come; no cursor between two walks.
CREATE TABLE sweep_walks (
  name TEXT PRIMARY KEY,
  cursor TEXT,
  started_at INTEGER NOT NULL
) STRICT;
