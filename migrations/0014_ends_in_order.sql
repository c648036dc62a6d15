-- In which order the videos of an account have ended, for readers that come back for what is new: the time of the end,
-- in milliseconds since 1970, but always more than that of every video whose end was written before. Two ends may have
-- the same time, and the one with the earlier time may be written later; a reader would then miss it.
ALTER TABLE videos ADD COLUMN ended_order INTEGER;

CREATE UNIQUE INDEX videos_by_end ON videos (account_id, ended_order) WHERE ended_order IS NOT NULL;

-- A trigger, so that it holds for ends that the version before writes, too.
CREATE TRIGGER videos_ended AFTER UPDATE OF finished_at ON videos
WHEN NEW.finished_at IS NOT NULL AND OLD.finished_at IS NULL
BEGIN
  UPDATE videos
  SET ended_order = max(
    NEW.finished_at,
    coalesce((SELECT max(ended_order) FROM videos WHERE account_id = NEW.account_id AND ended_order IS NOT NULL), 0) + 1
  )
  WHERE id = NEW.id;
END;
