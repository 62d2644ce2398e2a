-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Gives these claims' jobs back to ready. A claim of a finished job just goes;
-- one that is gone, or whose number stands for another claim now, is not returned.
-- The + keeps SQLite from starting at the index on finished_at.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE {include:claim_c_is_named}
ON CONFLICT (job_id) DO NOTHING;
-- rows
DELETE FROM solid_queue_claimed_executions
WHERE {include:claim_is_named}
RETURNING id, job_id, process_id, created_at;
