-- How often the pictures of a video were copied and the copy did not prove to be exact, so that it was encoded after all.
-- The media worker says so in the plan of its attempt; a row is written only then.
ALTER TABLE usage_totals ADD COLUMN copies_failed INTEGER NOT NULL DEFAULT 0;

-- Names its columns now, as the table has one more.
DROP TRIGGER usage_change;

CREATE TRIGGER usage_change INSTEAD OF INSERT ON usage_changes
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

CREATE TRIGGER usage_of_failed_copy AFTER UPDATE OF trace ON job_attempts
WHEN OLD.trace IS NULL AND NEW.trace ->> '$.plan.copyFailed' = 1
BEGIN
  INSERT INTO usage_totals (account_id, copies_failed)
  SELECT account_id, 1 FROM jobs WHERE id = NEW.job_id
  ON CONFLICT (account_id) DO UPDATE SET copies_failed = copies_failed + excluded.copies_failed;
END;
