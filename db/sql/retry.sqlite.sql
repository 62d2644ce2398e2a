-- retry(jobs, now) -> job_id
-- Failed jobs ([{"job_id", "arguments" or null}]) back to ready; arguments replace the payload.
UPDATE solid_queue_jobs SET updated_at = :now, arguments = (
	SELECT value ->> 'arguments' FROM json_each(:jobs)
	WHERE value ->> 'job_id' = solid_queue_jobs.id)
WHERE id IN (SELECT value ->> 'job_id' FROM json_each(:jobs) WHERE value ->> 'arguments' IS NOT NULL)
	AND EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = solid_queue_jobs.id);
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_jobs j
JOIN solid_queue_failed_executions f ON f.job_id = j.id
WHERE j.id IN (SELECT value ->> 'job_id' FROM json_each(:jobs))
ON CONFLICT (job_id) DO NOTHING;
-- rows
DELETE FROM solid_queue_failed_executions
WHERE job_id IN (SELECT value ->> 'job_id' FROM json_each(:jobs))
RETURNING job_id;
