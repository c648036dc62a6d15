-- Grows with every change of the weight or the cap of an account: of two plans that an object is told, the one with the greater
-- number is newer.
ALTER TABLE accounts ADD COLUMN plan_version INTEGER NOT NULL DEFAULT 0;
