-- After how many days a video that has ended leaves the database for the bucket; null: never.
ALTER TABLE accounts ADD COLUMN archive_after_days INTEGER DEFAULT 90;

-- The videos that may leave: they have ended, and their files are gone. To build it reads the table once; a video writes
-- it when its files are removed, and when it leaves.
CREATE INDEX videos_to_archive ON videos (account_id, finished_at) WHERE files_deleted_at IS NOT NULL;
