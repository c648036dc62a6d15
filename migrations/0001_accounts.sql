-- Times are Unix milliseconds. JSON columns are parsed by the schemas of worker/contract on their way out.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT,
  -- "100/60,1000/3600"; null follows the default plan
  rate_limits TEXT,
  retain_sources_days INTEGER NOT NULL DEFAULT 7,
  retain_outputs_days INTEGER NOT NULL DEFAULT 30,
  -- after how many days a video that has ended leaves the database for the bucket; null: never
  archive_after_days INTEGER DEFAULT 90,
  webhook_secret TEXT NOT NULL,
  previous_webhook_secret TEXT,
  previous_secret_expires_at INTEGER,
  -- how many turns it has while others have one, and how many of its jobs may run at once; null: no cap
  weight INTEGER NOT NULL DEFAULT 1,
  max_running INTEGER,
  -- what its work may cost in a calendar month (UTC), in the unit of the prices; null: no limit
  budget REAL,
  -- what its owners were told of last, such as "2026-11 80": the month, and the percentage that was used
  budget_told TEXT,
  -- where in the order of turns its last job began; null until one has. The greatest of all is now.
  turn REAL,
  -- the owners of this account see what concerns the whole service; the first account is its operator's
  operates INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_by_turn ON accounts (turn);
CREATE INDEX accounts_with_budget ON accounts (budget) WHERE budget IS NOT NULL;
CREATE UNIQUE INDEX accounts_operating ON accounts (operates) WHERE operates = 1;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- what the operator calls it, so that one of several can be told apart when it has to go
  name TEXT,
  -- SHA-256 of the key; the key itself is nowhere
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- to within the minutes that the gate of the key waits between two notes
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

-- Options that an account keeps under a name, for requests to start from.
CREATE TABLE presets (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  description TEXT,
  -- the fields that were given, without defaults
  fields TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT;

-- Buckets of its own that an account reads sources from and has results delivered to.
CREATE TABLE storages (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  region TEXT NOT NULL,
  bucket TEXT NOT NULL,
  -- empty for the whole bucket
  prefix TEXT NOT NULL,
  -- whether the bucket stands in the path or before the host: path, host
  addressing TEXT NOT NULL,
  access_key_id TEXT NOT NULL,
  -- encrypted with a key that is made of the secret of the service
  sealed_secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT;

-- Commands of the operator that were obeyed: a captured one is good for nothing.
CREATE TABLE admin_nonces (
  nonce TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX admin_nonces_expiry ON admin_nonces (expires_at);
