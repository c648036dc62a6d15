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

-- An event may have several deliveries. Null: the address is that of the event.
ALTER TABLE webhook_deliveries ADD COLUMN url TEXT;
-- Null: the request named the address.
ALTER TABLE webhook_deliveries ADD COLUMN endpoint_id TEXT;
-- Holds only what is still to be sent, for endpoints that are changed, disabled or deleted.
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id)
  WHERE endpoint_id IS NOT NULL AND finished_at IS NULL;
