-- An account lives in one of several databases. The home database has the map: which one each account lives in.
ALTER TABLE accounts ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;

-- Whose request the key came with; null in rows of the version before.
ALTER TABLE idempotency_keys ADD COLUMN account_id TEXT;
UPDATE idempotency_keys SET account_id = (SELECT account_id FROM api_keys WHERE api_keys.id = key_id);

-- For accounts that do not simply live here; a database in which nothing moves has no row.
CREATE TABLE account_places (
  account_id TEXT PRIMARY KEY,
  -- leaving: lives here, and every change is noted; closed: lives here, and nothing may change any more;
  -- gone: lives elsewhere; arriving: is being copied here; transfer: only within a transaction that copies or clears rows
  state TEXT NOT NULL,
  -- who moves the account; anybody else's copies are not written
  token TEXT NOT NULL
) STRICT;

-- The keys of rows that were changed while their account was leaving, as JSON; the copy takes them from here.
CREATE TABLE account_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  table_name TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
CREATE INDEX account_changes_by_account ON account_changes (account_id, seq);

-- In the home database: how far each move has come. The last move of an account stays as its record.
CREATE TABLE account_moves (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  from_shard INTEGER NOT NULL,
  to_shard INTEGER NOT NULL,
  step TEXT NOT NULL,
  token TEXT NOT NULL,
  -- until then only the holder of the token goes on with the move
  lease_until INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  closed_at INTEGER,
  switched_at INTEGER,
  finished_at INTEGER,
  -- what the comparison has found, as JSON
  compared TEXT
) STRICT;
CREATE INDEX account_moves_open ON account_moves (started_at) WHERE finished_at IS NULL;

-- What a move copies or clears was counted when it happened.
DROP TRIGGER usage_change;

CREATE TRIGGER usage_change INSTEAD OF INSERT ON usage_changes
WHEN NOT EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id AND state = 'transfer')
BEGIN
  INSERT INTO usage_days
  VALUES (NEW.account_id, strftime('%Y-%m-%d', NEW.at / 1000, 'unixepoch'), NEW.succeeded, NEW.failed, NEW.canceled,
    NEW.seconds_in, NEW.seconds_out, NEW.processor_seconds, NEW.kept_bytes)
  ON CONFLICT (account_id, day) DO UPDATE SET
    succeeded = succeeded + excluded.succeeded,
    failed = failed + excluded.failed,
    canceled = canceled + excluded.canceled,
    seconds_in = seconds_in + excluded.seconds_in,
    seconds_out = seconds_out + excluded.seconds_out,
    processor_seconds = processor_seconds + excluded.processor_seconds,
    kept_bytes = kept_bytes + excluded.kept_bytes;
  INSERT INTO usage_totals (account_id, succeeded, failed, canceled, seconds_in, seconds_out, processor_seconds, kept_bytes)
  VALUES (NEW.account_id, NEW.succeeded, NEW.failed, NEW.canceled,
    NEW.seconds_in, NEW.seconds_out, NEW.processor_seconds, NEW.kept_bytes)
  ON CONFLICT (account_id) DO UPDATE SET
    succeeded = succeeded + excluded.succeeded,
    failed = failed + excluded.failed,
    canceled = canceled + excluded.canceled,
    seconds_in = seconds_in + excluded.seconds_in,
    seconds_out = seconds_out + excluded.seconds_out,
    processor_seconds = processor_seconds + excluded.processor_seconds,
    kept_bytes = kept_bytes + excluded.kept_bytes;
END;

DROP TRIGGER usage_of_failed_copy;

CREATE TRIGGER usage_of_failed_copy AFTER UPDATE OF trace ON job_attempts
WHEN OLD.trace IS NULL AND NEW.trace ->> '$.plan.copyFailed' = 1
BEGIN
  INSERT INTO usage_totals (account_id, copies_failed)
  SELECT account_id, 1 FROM jobs WHERE id = NEW.job_id
    AND NOT EXISTS (SELECT 1 FROM account_places AS p WHERE p.account_id = jobs.account_id AND p.state = 'transfer')
  ON CONFLICT (account_id) DO UPDATE SET copies_failed = copies_failed + excluded.copies_failed;
END;

DROP TRIGGER videos_ended;

CREATE TRIGGER videos_ended AFTER UPDATE OF finished_at ON videos
WHEN NEW.finished_at IS NOT NULL AND OLD.finished_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id AND state = 'transfer')
BEGIN
  UPDATE videos
  SET ended_order = max(
    NEW.finished_at,
    coalesce((SELECT max(ended_order) FROM videos WHERE account_id = NEW.account_id AND ended_order IS NOT NULL), 0) + 1
  )
  WHERE id = NEW.id;
END;

-- The database itself holds a move together, even if a program that writes here does not know of it: while an account is
-- leaving, each change of its rows is noted, and once it is closed or gone none can be made.

CREATE TRIGGER videos_insert_moving AFTER INSERT ON videos
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'videos', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER videos_update_moving AFTER UPDATE ON videos
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'videos', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER videos_delete_moving AFTER DELETE ON videos
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'videos', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER jobs_insert_moving AFTER INSERT ON jobs
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'jobs', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER jobs_update_moving AFTER UPDATE ON jobs
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'jobs', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER jobs_delete_moving AFTER DELETE ON jobs
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'jobs', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER job_attempts_insert_moving AFTER INSERT ON job_attempts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'job_attempts', json_array(NEW.job_id, NEW.fence)
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id) AND state = 'leaving';
END;

CREATE TRIGGER job_attempts_update_moving AFTER UPDATE ON job_attempts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'job_attempts', json_array(NEW.job_id, NEW.fence)
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = NEW.job_id) AND state = 'leaving';
END;

CREATE TRIGGER job_attempts_delete_moving AFTER DELETE ON job_attempts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = OLD.job_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = OLD.job_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'job_attempts', json_array(OLD.job_id, OLD.fence)
  FROM account_places WHERE account_id = (SELECT account_id FROM jobs WHERE id = OLD.job_id) AND state = 'leaving';
END;

CREATE TRIGGER webhook_events_insert_moving AFTER INSERT ON webhook_events
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_events', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_events_update_moving AFTER UPDATE ON webhook_events
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_events', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_events_delete_moving AFTER DELETE ON webhook_events
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_events', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_deliveries_insert_moving AFTER INSERT ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_deliveries', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_deliveries_update_moving AFTER UPDATE ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_deliveries', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_deliveries_delete_moving AFTER DELETE ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_deliveries', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER uploads_insert_moving AFTER INSERT ON uploads
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'uploads', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER uploads_update_moving AFTER UPDATE ON uploads
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'uploads', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER uploads_delete_moving AFTER DELETE ON uploads
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'uploads', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER upload_parts_insert_moving AFTER INSERT ON upload_parts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'upload_parts', json_array(NEW.upload_id, NEW.part_number, NEW.etag)
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id) AND state = 'leaving';
END;

CREATE TRIGGER upload_parts_update_moving AFTER UPDATE ON upload_parts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'upload_parts', json_array(NEW.upload_id, NEW.part_number, NEW.etag)
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = NEW.upload_id) AND state = 'leaving';
END;

CREATE TRIGGER upload_parts_delete_moving AFTER DELETE ON upload_parts
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = OLD.upload_id))
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = OLD.upload_id) AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'upload_parts', json_array(OLD.upload_id, OLD.part_number, OLD.etag)
  FROM account_places WHERE account_id = (SELECT account_id FROM uploads WHERE id = OLD.upload_id) AND state = 'leaving';
END;

CREATE TRIGGER presets_insert_moving AFTER INSERT ON presets
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'presets', json_array(NEW.name)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER presets_update_moving AFTER UPDATE ON presets
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'presets', json_array(NEW.name)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER presets_delete_moving AFTER DELETE ON presets
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'presets', json_array(OLD.name)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_endpoints_insert_moving AFTER INSERT ON webhook_endpoints
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_endpoints', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_endpoints_update_moving AFTER UPDATE ON webhook_endpoints
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_endpoints', json_array(NEW.id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER webhook_endpoints_delete_moving AFTER DELETE ON webhook_endpoints
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'webhook_endpoints', json_array(OLD.id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_days_insert_moving AFTER INSERT ON usage_days
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_days', json_array(NEW.day)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_days_update_moving AFTER UPDATE ON usage_days
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_days', json_array(NEW.day)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_days_delete_moving AFTER DELETE ON usage_days
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_days', json_array(OLD.day)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_totals_insert_moving AFTER INSERT ON usage_totals
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_totals', json_array(NEW.account_id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_totals_update_moving AFTER UPDATE ON usage_totals
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_totals', json_array(NEW.account_id)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER usage_totals_delete_moving AFTER DELETE ON usage_totals
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'usage_totals', json_array(OLD.account_id)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;

CREATE TRIGGER idempotency_keys_insert_moving AFTER INSERT ON idempotency_keys
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'idempotency_keys', json_array(NEW.key_id, NEW.endpoint, NEW.idempotency_key)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER idempotency_keys_update_moving AFTER UPDATE ON idempotency_keys
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = NEW.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'idempotency_keys', json_array(NEW.key_id, NEW.endpoint, NEW.idempotency_key)
  FROM account_places WHERE account_id = NEW.account_id AND state = 'leaving';
END;

CREATE TRIGGER idempotency_keys_delete_moving AFTER DELETE ON idempotency_keys
WHEN EXISTS (SELECT 1 FROM account_places WHERE account_id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the account is moving')
  FROM account_places WHERE account_id = OLD.account_id AND state IN ('closed', 'gone', 'arriving');
  INSERT INTO account_changes (account_id, table_name, key)
  SELECT account_id, 'idempotency_keys', json_array(OLD.key_id, OLD.endpoint, OLD.idempotency_key)
  FROM account_places WHERE account_id = OLD.account_id AND state = 'leaving';
END;
