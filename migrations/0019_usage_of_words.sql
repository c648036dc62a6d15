-- What was cut by what is said counts as much as what was cut by time: the length of what came in has all of it.
DROP TRIGGER usage_of_end;

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
    0,
    files
  FROM kept_bytes WHERE video_id = NEW.id;
END;
