-- Videos that one request has created. They are written with it, in one batch of statements, so there is no video of it too few
-- or too many at any time.
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  preset TEXT,
  webhook_url TEXT,
  -- in the order of the items; also those that were deleted since
  video_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  canceled_at INTEGER,
  ended_at INTEGER,
  -- how many videos are in which state, as it was when the batch ended
  counts TEXT,
  -- set by the one change that ends the batch; its event is written with it
  ended_event_id TEXT,
  -- when the sweep looks whether all videos have ended, in case nobody was left to say so
  sweep_after INTEGER NOT NULL,
  -- a while after the end; null until then
  expires_at INTEGER
) STRICT;
CREATE INDEX batches_by_account ON batches (account_id, created_at DESC, id DESC);
CREATE INDEX batches_open ON batches (sweep_after) WHERE ended_at IS NULL;
CREATE INDEX batches_expiry ON batches (expires_at) WHERE expires_at IS NOT NULL;
