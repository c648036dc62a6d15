-- Every attempt ever made of this delivery, also those that no longer stand in the log.
ALTER TABLE webhook_deliveries ADD COLUMN attempt_count INTEGER NOT NULL DEFAULT 0;
-- A redelivery begins the schedule anew: how many attempts were made before it, and when it began.
ALTER TABLE webhook_deliveries ADD COLUMN round_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_deliveries ADD COLUMN round_at INTEGER NOT NULL DEFAULT 0;
-- When the next attempt is to be made; null once there is none.
ALTER TABLE webhook_deliveries ADD COLUMN due_at INTEGER;
-- How often the sweep has looked since the delivery last moved.
ALTER TABLE webhook_deliveries ADD COLUMN sweeps INTEGER NOT NULL DEFAULT 0;
-- By age, over all accounts: the operator reads from one end, the sweep removes from the other.
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);
