-- When a key was last used, to within the minutes that the gate of the key waits between two notes.
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
