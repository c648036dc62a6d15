-- The people who sign in. An address is kept in lower case; the owner that a link of the operator makes has none at first.
CREATE TABLE people (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  name TEXT,
  -- scrypt with its parameters and salt; null: signs in by links only
  password_hash TEXT,
  -- the account that the person was last in
  account_id TEXT REFERENCES accounts (id),
  created_at INTEGER NOT NULL
) STRICT;

-- Who belongs to which account, as owner or member.
CREATE TABLE members (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT;
CREATE INDEX members_by_person ON members (person_id, created_at);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  -- SHA-256 of what the cookie holds; the token itself is nowhere
  token_hash TEXT NOT NULL UNIQUE,
  person_id TEXT NOT NULL REFERENCES people (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  -- to within the hour that passes between two notes
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_person ON sessions (person_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Somebody was asked to join an account; the mail and the person who asked have the token.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  invited_by TEXT NOT NULL REFERENCES people (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, email)
) STRICT;
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- Tokens that are good for one thing, once: the statement that uses one deletes its row.
CREATE TABLE one_time_tokens (
  token_hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  -- null: the token makes a person
  person_id TEXT REFERENCES people (id),
  -- what the purpose needs besides, as JSON
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX one_time_tokens_by_person ON one_time_tokens (person_id);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

-- How often something was tried lately, by the hash of who tries or of what is tried.
CREATE TABLE attempts (
  subject TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_expiry ON attempts (expires_at);
