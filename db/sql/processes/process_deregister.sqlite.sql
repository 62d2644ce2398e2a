-- process_deregister(process_id, now) -> released
-- Deletes the process's row and gives its claims back to ready. A claim of a
-- finished job just goes. NONE when there was no such row.
-- The + keeps SQLite from starting at the index on finished_at.
-- guard
DELETE FROM solid_queue_processes WHERE id = :process_id;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE c.process_id = :process_id
ON CONFLICT (job_id) DO NOTHING;
DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id;
-- rows
SELECT changes();
