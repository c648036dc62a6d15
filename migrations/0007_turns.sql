-- A plan: how many turns an account has while others have one, and how many of its jobs may run at once (null: no cap).
ALTER TABLE accounts ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
ALTER TABLE accounts ADD COLUMN max_running INTEGER;
-- Where in the order of turns the last job of the account began; null until one has. The greatest of all is now.
ALTER TABLE accounts ADD COLUMN turn REAL;
CREATE INDEX accounts_by_turn ON accounts (turn);

-- The number of the one dispatch message that counts; those with a smaller one have been followed by others.
ALTER TABLE jobs ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
-- How often in a row the job was told to wait; above 0 it stands in line.
ALTER TABLE jobs ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
-- Until then others may go first, because no media worker that answered would have it.
ALTER TABLE jobs ADD COLUMN passed_until INTEGER NOT NULL DEFAULT 0;

-- All of them hold only rows of jobs that wait. To build them reads both tables once; a job writes them three times.
CREATE INDEX videos_queued ON videos (account_id, created_at) WHERE status = 'queued';
CREATE INDEX jobs_in_line ON jobs (account_id) WHERE waits > 0;
CREATE INDEX jobs_given_turn ON jobs (woken_at, account_id) WHERE woken_at > 0;

-- For the operator's list of one status. To build them reads the table once; a delivery writes each of them twice.
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (status, created_at);
CREATE INDEX webhook_deliveries_by_account_status ON webhook_deliveries (account_id, status, created_at);
