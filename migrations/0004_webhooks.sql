-- Addresses that an account is told at about every video, beside the webhookUrl of a request.
CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  description TEXT,
  -- null: every type there is, and every type to come
  event_types TEXT,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id, url);

CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  -- empty for a test
  video_id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- the exact bytes that every delivery sends
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_by_account ON webhook_events (account_id, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_video ON webhook_events (video_id);
-- The sweep removes from the old end.
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

-- An event has a delivery for each address that is told.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  event_id TEXT NOT NULL REFERENCES webhook_events (id),
  account_id TEXT NOT NULL,
  url TEXT NOT NULL,
  -- null: the request named the address
  endpoint_id TEXT,
  status TEXT NOT NULL,
  -- the last of them, as JSON
  attempts TEXT NOT NULL DEFAULT '[]',
  -- every attempt ever made, also those that no longer stand in the log
  attempt_count INTEGER NOT NULL DEFAULT 0,
  -- a redelivery begins the schedule again: how many attempts were made before it, and when it began
  round_start INTEGER NOT NULL DEFAULT 0,
  round_at INTEGER NOT NULL DEFAULT 0,
  -- when the next attempt is to be made; null once there is none
  due_at INTEGER,
  sweep_after INTEGER NOT NULL,
  -- how often the sweep has looked since the delivery last moved
  sweeps INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (sweep_after) WHERE finished_at IS NULL;
-- By age, over all accounts: the operator reads from one end, the sweep removes from the other.
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
-- For lists of one status.
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (status, created_at);
CREATE INDEX webhook_deliveries_by_account_status ON webhook_deliveries (account_id, status, created_at);
-- Holds only what is still to be sent, for endpoints that are changed, disabled or deleted.
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id)
  WHERE endpoint_id IS NOT NULL AND finished_at IS NULL;
