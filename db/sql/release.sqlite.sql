-- release(claims, now) -> claim_id
-- Gives these claims' jobs back to ready. A claim of a finished job just goes;
-- one that is gone is not returned.
-- The + keeps SQLite from starting at the index on finished_at.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE c.id IN (SELECT value FROM json_each(:claims))
ON CONFLICT (job_id) DO NOTHING;
-- rows
DELETE FROM solid_queue_claimed_executions WHERE id IN (SELECT value FROM json_each(:claims))
RETURNING id;
