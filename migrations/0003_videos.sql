CREATE TABLE videos (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  progress_percent REAL NOT NULL DEFAULT 0,
  phase TEXT,
  -- the request as it was sent, with its defaults
  request TEXT NOT NULL,
  transcript_status TEXT NOT NULL,
  transcript TEXT,
  analysis_status TEXT NOT NULL,
  analysis TEXT,
  -- outputs, videoMetadata and warnings
  result TEXT,
  error_message TEXT,
  -- set by the one terminal change; whatever else that change writes asks for it
  terminal_event_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- in which order the videos of an account have ended; see the trigger below
  ended_order INTEGER,
  files_expire_at INTEGER,
  -- when the sweep removed the files of a video whose time was over; null while they may be there
  files_deleted_at INTEGER,
  -- a source that lies in the bucket, for as long as it does; null for sources that are fetched from an address
  source TEXT,
  source_expires_at INTEGER,
  source_deleted_at INTEGER,
  batch_id TEXT,
  -- a digest of all that the result depends on: the options, the bytes of every file, and the engine that has made it; null
  -- while another video must not be answered with it
  work TEXT,
  engine TEXT,
  -- the video under whose name the files of the result lie; null if that is this one
  files_of TEXT
) STRICT;
CREATE INDEX videos_by_account ON videos (account_id, created_at DESC, id DESC);
CREATE INDEX videos_by_account_status ON videos (account_id, status, created_at DESC, id DESC);
-- For the line and the operator's lists. A video is in one of the two; a query uses it when it says the condition literally.
CREATE INDEX videos_queued ON videos (created_at) WHERE status = 'queued';
CREATE INDEX videos_by_status ON videos (status, created_at DESC) WHERE status <> 'queued';
-- Videos that are made of one upload share its object; it goes with the last of them.
CREATE INDEX videos_by_source ON videos (source ->> 'uploadId')
  WHERE source_deleted_at IS NULL AND source IS NOT NULL;
-- These two hold only what is still to be removed. A query uses them when it says both conditions literally.
CREATE INDEX videos_files_expiring ON videos (files_expire_at)
  WHERE files_deleted_at IS NULL AND files_expire_at IS NOT NULL;
CREATE INDEX videos_sources_expiring ON videos (source_expires_at)
  WHERE source_deleted_at IS NULL AND source_expires_at IS NOT NULL;
-- Results that may answer a request for the same, and the videos whose files lie under the name of another.
CREATE INDEX videos_by_work ON videos (account_id, work) WHERE work IS NOT NULL AND files_deleted_at IS NULL;
CREATE INDEX videos_by_files ON videos (files_of) WHERE files_of IS NOT NULL;
-- The videos that may leave for the archive: they have ended, and their files are gone.
CREATE INDEX videos_to_archive ON videos (account_id, finished_at) WHERE files_deleted_at IS NOT NULL;
-- For the counts of a batch, and whether all of it has ended.
CREATE INDEX videos_by_batch ON videos (batch_id, status) WHERE batch_id IS NOT NULL;
CREATE UNIQUE INDEX videos_by_end ON videos (account_id, ended_order) WHERE ended_order IS NOT NULL;

-- The order of ends, for readers that come back for what is new: the time of the end, in milliseconds since 1970, but always
-- more than that of every video whose end was written before. Two ends may have the same time, and the one with the earlier
-- time may be written later; a reader would then miss it.
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

-- A job's status is that of its video: one state, one place. Without a rowid, a create writes a row less.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  video_id TEXT NOT NULL UNIQUE REFERENCES videos (id),
  account_id TEXT NOT NULL,
  fence INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  -- the number of the one dispatch message that counts; those with a smaller one have been followed by others
  chain INTEGER NOT NULL DEFAULT 0,
  -- how often in a row the job was told to wait; above 0 it stands in line
  waits INTEGER NOT NULL DEFAULT 0,
  sweep_after INTEGER NOT NULL,
  -- how often the sweep has looked since the job last moved
  sweeps INTEGER NOT NULL DEFAULT 0,
  -- when a message for the job last ended in the dead-letter queue; for the operator
  dead_lettered_at INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_due ON jobs (sweep_after) WHERE finished_at IS NULL;
-- Holds only jobs that wait.
CREATE INDEX jobs_in_line ON jobs (account_id) WHERE waits > 0;
CREATE INDEX jobs_dead_lettered ON jobs (dead_lettered_at) WHERE dead_lettered_at IS NOT NULL;

CREATE TABLE job_attempts (
  job_id TEXT NOT NULL REFERENCES jobs (id),
  fence INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT,
  -- phases, and where commands and plan are kept
  trace TEXT,
  PRIMARY KEY (job_id, fence)
) STRICT;

-- Videos of which files are still to be delivered to buckets of the account. What became of each stands in the result.
CREATE TABLE undelivered (
  video_id TEXT PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sweep_after INTEGER NOT NULL
) STRICT;
CREATE INDEX undelivered_due ON undelivered (sweep_after);

-- What was heard of the sources of a video, for later videos of the account with the same sound: the text lies in the bucket,
-- under the name of this video, so that it goes with it.
CREATE TABLE kept_words (
  account_id TEXT NOT NULL,
  -- a digest of the sound, and of the parts of it that were heard
  name TEXT NOT NULL,
  -- the media worker that has heard it, as in the rows of videos
  engine TEXT NOT NULL,
  video_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name, engine, video_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_words_by_video ON kept_words (video_id);
CREATE INDEX kept_words_expiry ON kept_words (expires_at);

CREATE TABLE idempotency_keys (
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  response_status INTEGER,
  response_body TEXT,
  -- while this lies ahead and there is no response, the first request is still at work
  lease_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, endpoint, idempotency_key)
) STRICT;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- One row for every object that is or becomes a source, from before its first byte until a video has it or it is swept.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- receiving: one request brings it; open, ready, refused: direct uploads; used: a video has it
  status TEXT NOT NULL,
  file_name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- as announced, of a form with all of its fields; null while a form is being read that does not announce it
  size_bytes INTEGER,
  part_bytes INTEGER NOT NULL,
  multipart_id TEXT NOT NULL,
  -- why it is refused, as the client was told
  refusal TEXT,
  video_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_expiry ON uploads (expires_at);
-- What an account has in uploads counts towards what it may keep.
CREATE INDEX uploads_held ON uploads (account_id, size_bytes) WHERE status IN ('receiving', 'open', 'ready');

-- More than one row for a part means that it was sent twice at once: R2 knows which came last.
CREATE TABLE upload_parts (
  upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  part_number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- by the clock of the database, the only one that all isolates share
  stored_at INTEGER NOT NULL,
  PRIMARY KEY (upload_id, part_number, etag)
) STRICT;

-- Prefixes whose objects were deleted, listed once more after the last address for them has expired.
CREATE TABLE tombstones (
  prefix TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  list_after INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_due ON tombstones (list_after);

-- How far a walk that takes many ticks has come; no cursor between two walks.
CREATE TABLE sweep_walks (
  name TEXT PRIMARY KEY,
  cursor TEXT,
  started_at INTEGER NOT NULL
) STRICT;
