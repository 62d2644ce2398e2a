-- dispatch(limit, now) -> moved, job_id
-- Moves the next due jobs from scheduled to ready, into the queue and priority that each job has
-- by now. Limited jobs stay where they are and are returned, a row each, beside how many moved;
-- there is always at least one row. After some of a batch have moved, those of it that stayed
-- are the first that are due.
{include:insert_ready}
FROM (SELECT job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit) due
CROSS JOIN solid_queue_jobs j ON j.id = due.job_id
WHERE j.concurrency_key IS NULL
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE id IN (
	SELECT due.id
	FROM (SELECT id, job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
		ORDER BY scheduled_at, priority, job_id LIMIT :limit) due
	WHERE EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = due.job_id));
-- rows
SELECT changes(), NULL
UNION ALL
SELECT 0, job_id FROM (SELECT job_id FROM solid_queue_scheduled_executions
	WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit - changes());
