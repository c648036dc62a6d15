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
