-- What an account has used: by day, in UTC, and in all. The triggers below keep both within the statements that change
-- videos anyway. So nothing is counted twice or left out, and no total is found by reading all rows.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL,
  day TEXT NOT NULL,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  canceled INTEGER NOT NULL DEFAULT 0,
  -- of videos that succeeded
  seconds_in REAL NOT NULL DEFAULT 0,
  seconds_out REAL NOT NULL DEFAULT 0,
  -- of processors, in every attempt
  measuring_seconds REAL NOT NULL DEFAULT 0,
  rendering_seconds REAL NOT NULL DEFAULT 0,
  transcribing_seconds REAL NOT NULL DEFAULT 0,
  analysing_seconds REAL NOT NULL DEFAULT 0,
  -- of results that were made; one that another video had made already counts there
  result_bytes INTEGER NOT NULL DEFAULT 0,
  -- how much more is kept at the end of the day than at its beginning
  kept_bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT;

CREATE TABLE usage_totals (
  account_id TEXT PRIMARY KEY,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  canceled INTEGER NOT NULL DEFAULT 0,
  seconds_in REAL NOT NULL DEFAULT 0,
  seconds_out REAL NOT NULL DEFAULT 0,
  processor_seconds REAL NOT NULL DEFAULT 0,
  kept_bytes INTEGER NOT NULL DEFAULT 0,
  -- how often the pictures of a video were copied and the copy did not prove to be exact, so that it was encoded after all
  copies_failed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What each kind of change adds to both tables. Nothing is stored in it: the trigger takes what is inserted.
CREATE VIEW usage_changes AS
  SELECT account_id, 0 AS at, succeeded, failed, canceled, seconds_in, seconds_out,
    measuring_seconds, rendering_seconds, transcribing_seconds, analysing_seconds, result_bytes, kept_bytes
  FROM usage_days;

CREATE TRIGGER usage_change INSTEAD OF INSERT ON usage_changes
BEGIN
  INSERT INTO usage_days
  VALUES (NEW.account_id, strftime('%Y-%m-%d', NEW.at / 1000, 'unixepoch'), NEW.succeeded, NEW.failed, NEW.canceled,
    NEW.seconds_in, NEW.seconds_out, NEW.measuring_seconds, NEW.rendering_seconds, NEW.transcribing_seconds,
    NEW.analysing_seconds, NEW.result_bytes, NEW.kept_bytes)
  ON CONFLICT (account_id, day) DO UPDATE SET
    succeeded = succeeded + excluded.succeeded,
    failed = failed + excluded.failed,
    canceled = canceled + excluded.canceled,
    seconds_in = seconds_in + excluded.seconds_in,
    seconds_out = seconds_out + excluded.seconds_out,
    measuring_seconds = measuring_seconds + excluded.measuring_seconds,
    rendering_seconds = rendering_seconds + excluded.rendering_seconds,
    transcribing_seconds = transcribing_seconds + excluded.transcribing_seconds,
    analysing_seconds = analysing_seconds + excluded.analysing_seconds,
    result_bytes = result_bytes + excluded.result_bytes,
    kept_bytes = kept_bytes + excluded.kept_bytes;
  INSERT INTO usage_totals (account_id, succeeded, failed, canceled, seconds_in, seconds_out, processor_seconds, kept_bytes)
  VALUES (NEW.account_id, NEW.succeeded, NEW.failed, NEW.canceled,
    NEW.seconds_in, NEW.seconds_out,
    NEW.measuring_seconds + NEW.rendering_seconds + NEW.transcribing_seconds + NEW.analysing_seconds, NEW.kept_bytes)
  ON CONFLICT (account_id) DO UPDATE SET
    succeeded = succeeded + excluded.succeeded,
    failed = failed + excluded.failed,
    canceled = canceled + excluded.canceled,
    seconds_in = seconds_in + excluded.seconds_in,
    seconds_out = seconds_out + excluded.seconds_out,
    processor_seconds = processor_seconds + excluded.processor_seconds,
    kept_bytes = kept_bytes + excluded.kept_bytes;
END;

-- How much each video has in the bucket: what lies there still, by its row. A source or a result that several share counts
-- once: for the first that has it when it comes, for the last when it goes.
CREATE VIEW kept_bytes AS
  SELECT id AS video_id,
    CASE WHEN files_deleted_at IS NOT NULL OR result IS NULL
      OR EXISTS (SELECT 1 FROM videos AS other
        WHERE other.id = videos.files_of AND other.files_deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM videos AS other
        WHERE other.files_of = coalesce(videos.files_of, videos.id) AND other.id <> videos.id
          AND other.files_deleted_at IS NULL) THEN 0 ELSE
      (SELECT coalesce(sum(output.value ->> 'sizeBytes'), 0) FROM json_each(result, '$.outputs') AS output) END AS files,
    CASE WHEN source_deleted_at IS NOT NULL OR source IS NULL OR EXISTS
      (SELECT 1 FROM videos AS other
       WHERE other.source ->> 'uploadId' = videos.source ->> 'uploadId' AND other.id <> videos.id
         AND other.source_deleted_at IS NULL AND other.source IS NOT NULL) THEN 0 ELSE
      coalesce(source ->> 'sizeBytes', 0) END AS source
  FROM videos;

-- The length of what came in has all that was cut.
CREATE TRIGGER usage_of_end AFTER UPDATE OF finished_at ON videos
WHEN OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT NEW.account_id, NEW.finished_at, NEW.status = 'succeeded', NEW.status = 'failed', NEW.status = 'canceled',
    coalesce(NEW.result ->> '$.videoMetadata.duration', 0)
      + coalesce(NEW.result ->> '$.removed.segmentsSeconds', 0)
      + coalesce(NEW.result ->> '$.removed.silenceSeconds', 0)
      + coalesce(NEW.result ->> '$.removed.textSeconds', 0)
      + coalesce(NEW.result ->> '$.removed.fillersSeconds', 0),
    coalesce(NEW.result ->> '$.videoMetadata.duration', 0),
    0, 0, 0, 0,
    CASE WHEN NEW.files_of IS NOT NULL THEN 0 ELSE
      (SELECT coalesce(sum(output.value ->> 'sizeBytes'), 0) FROM json_each(NEW.result, '$.outputs') AS output) END,
    files
  FROM kept_bytes WHERE video_id = NEW.id;
END;

-- The trace of an attempt comes with its end, or after the end of a video that was canceled. Its processor time is divided by
-- how long each kind of work took; an attempt that does not know it took one processor all the time.
CREATE TRIGGER usage_of_attempt AFTER UPDATE OF trace ON job_attempts
WHEN OLD.trace IS NULL AND NEW.trace IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT account_id, NEW.finished_at, 0, 0, 0, 0, 0,
    measuring * share, rendering * share, transcribing * share, analysing * share, 0, 0
  FROM jobs, (SELECT measuring, rendering, transcribing, analysing,
    coalesce((NEW.trace ->> '$.processorMs') / nullif(measuring + rendering + transcribing + analysing, 0), 1) / 1000.0 AS share
  FROM (SELECT
    coalesce(sum(ms) FILTER (WHERE name = 'measuring'), 0.0) AS measuring,
    coalesce(sum(ms) FILTER (WHERE name = 'rendering'), 0.0) AS rendering,
    coalesce(sum(ms) FILTER (WHERE name = 'transcribing'), 0.0) AS transcribing,
    coalesce(sum(ms) FILTER (WHERE name = 'analysing'), 0.0) AS analysing
  FROM (SELECT phase.value ->> 'name' AS name, 1.0 * (phase.value ->> 'durationMs') AS ms
    FROM json_each(NEW.trace, '$.phases') AS phase)))
  WHERE id = NEW.job_id;
END;

-- The media worker says in the plan of its attempt that a copy did not prove to be exact; a row is written only then.
CREATE TRIGGER usage_of_failed_copy AFTER UPDATE OF trace ON job_attempts
WHEN OLD.trace IS NULL AND NEW.trace ->> '$.plan.copyFailed' = 1
BEGIN
  INSERT INTO usage_totals (account_id, copies_failed)
  SELECT account_id, 1 FROM jobs WHERE id = NEW.job_id
  ON CONFLICT (account_id) DO UPDATE SET copies_failed = copies_failed + excluded.copies_failed;
END;

CREATE TRIGGER usage_of_source AFTER INSERT ON videos
WHEN NEW.source IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT NEW.account_id, NEW.created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, source FROM kept_bytes WHERE video_id = NEW.id;
END;

CREATE TRIGGER usage_of_removed_files BEFORE UPDATE OF files_deleted_at ON videos
WHEN OLD.files_deleted_at IS NULL AND NEW.files_deleted_at IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT OLD.account_id, NEW.files_deleted_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -files FROM kept_bytes WHERE video_id = OLD.id;
END;

-- A result that was delivered may be removed before the others.
CREATE TRIGGER usage_of_delivered_files AFTER UPDATE OF result ON videos
WHEN OLD.finished_at IS NOT NULL AND OLD.files_deleted_at IS NULL AND NEW.files_deleted_at IS NULL
BEGIN
  INSERT INTO usage_changes
  SELECT NEW.account_id, NEW.updated_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, after - before
  FROM (SELECT
    (SELECT coalesce(sum(output.value ->> 'sizeBytes'), 0) FROM json_each(OLD.result, '$.outputs') AS output) AS before,
    (SELECT coalesce(sum(output.value ->> 'sizeBytes'), 0) FROM json_each(NEW.result, '$.outputs') AS output) AS after)
  WHERE after <> before;
END;

CREATE TRIGGER usage_of_removed_source BEFORE UPDATE OF source_deleted_at ON videos
WHEN OLD.source_deleted_at IS NULL AND NEW.source_deleted_at IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT OLD.account_id, NEW.source_deleted_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -source FROM kept_bytes WHERE video_id = OLD.id;
END;

CREATE TRIGGER usage_of_deleted_video BEFORE DELETE ON videos
BEGIN
  INSERT INTO usage_changes
  SELECT OLD.account_id, unixepoch() * 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -(files + source)
  FROM kept_bytes WHERE video_id = OLD.id AND files + source > 0;
END;
