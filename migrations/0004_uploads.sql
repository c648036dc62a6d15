-- A source that lies in the bucket, for as long as it does; null for sources that are fetched from an address.
ALTER TABLE videos ADD COLUMN source TEXT;
ALTER TABLE videos ADD COLUMN source_expires_at INTEGER;
ALTER TABLE videos ADD COLUMN source_deleted_at INTEGER;
-- Holds only what is still to be removed. A query uses it when it says both conditions literally.
CREATE INDEX videos_sources_expiring ON videos (source_expires_at)
  WHERE source_deleted_at IS NULL AND source_expires_at IS NOT NULL;

-- Nothing has ever been written to these two; they are made anew in the shape that is now known.
DROP TABLE upload_parts;
DROP TABLE uploads;

-- One row for every object that is or becomes a source, from before its first byte until a video has it or it is swept.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- receiving: one request brings it; open, ready, refused: direct uploads; used: a video has it
  status TEXT NOT NULL,
  file_name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- as announced; null while a form is being read
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
