-- Drops the claims of the told_runs; their notes are of no run then.
DELETE FROM solid_queue_claimed_executions WHERE id IN (SELECT c.id FROM {include:told_runs})
