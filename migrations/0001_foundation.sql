-- Times are Unix milliseconds. JSON columns are parsed by the schemas of worker/contract on their way out.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT,
  -- "100/60,1000/3600"; null follows the default plan
  rate_limits TEXT,
  retain_sources_days INTEGER NOT NULL DEFAULT 7,
  retain_outputs_days INTEGER NOT NULL DEFAULT 30,
  webhook_secret TEXT NOT NULL,
  previous_webhook_secret TEXT,
  previous_secret_expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- SHA-256 of the key; the key itself is nowhere
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

CREATE TABLE videos (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  progress_percent REAL NOT NULL DEFAULT 0,
  phase TEXT,
  -- the request as it was sent, with its defaults
  request TEXT NOT NULL,
  transcript_status TEXT NOT NULL,
  transcript TEXT,
  analysis_status TEXT NOT NULL,
  analysis TEXT,
  -- outputs, videoMetadata and warnings
  result TEXT,
  error_message TEXT,
  -- set by the one terminal change; whatever else that change writes asks for it
  terminal_event_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  files_expire_at INTEGER
) STRICT;
CREATE INDEX videos_by_account ON videos (account_id, created_at DESC, id DESC);
CREATE INDEX videos_by_account_status ON videos (account_id, status, created_at DESC, id DESC);
CREATE INDEX videos_waiting ON videos (created_at) WHERE status = 'queued';

-- A job's status is that of its video: one state, one place.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  video_id TEXT NOT NULL UNIQUE REFERENCES videos (id),
  account_id TEXT NOT NULL,
  fence INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  sweep_after INTEGER NOT NULL,
  -- how often the sweep has looked since the job last moved
  sweeps INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX jobs_due ON jobs (sweep_after) WHERE finished_at IS NULL;
CREATE INDEX jobs_newest ON jobs (created_at DESC);

CREATE TABLE job_attempts (
  job_id TEXT NOT NULL REFERENCES jobs (id),
  fence INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT,
  -- phases, commands and plan
  trace TEXT,
  PRIMARY KEY (job_id, fence)
) STRICT;

CREATE TABLE idempotency_keys (
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  response_status INTEGER,
  response_body TEXT,
  -- while this lies ahead and there is no response, the first request is still at work
  lease_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, endpoint, idempotency_key)
) STRICT;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  video_id TEXT NOT NULL,
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  -- the exact bytes that every delivery sends
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_by_account ON webhook_events (account_id, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_video ON webhook_events (video_id);

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  event_id TEXT NOT NULL REFERENCES webhook_events (id),
  account_id TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts TEXT NOT NULL DEFAULT '[]',
  sweep_after INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (sweep_after) WHERE finished_at IS NULL;

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  status TEXT NOT NULL,
  file_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  part_size_bytes INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  multipart_id TEXT NOT NULL,
  video_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_expiry ON uploads (expires_at);

CREATE TABLE upload_parts (
  upload_id TEXT NOT NULL REFERENCES uploads (id),
  part_number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (upload_id, part_number)
) STRICT;

-- Prefixes whose objects were deleted, listed once more after the last address for them has expired.
CREATE TABLE tombstones (
  prefix TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  list_after INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_due ON tombstones (list_after);
