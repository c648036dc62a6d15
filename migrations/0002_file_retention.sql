-- When the sweep removed the files of a video whose time was over; null while they may be there.
ALTER TABLE videos ADD COLUMN files_deleted_at INTEGER;
-- Holds only what is still to be removed. A query uses it when it says both conditions literally.
CREATE INDEX videos_files_expiring ON videos (files_expire_at)
  WHERE files_deleted_at IS NULL AND files_expire_at IS NOT NULL;
