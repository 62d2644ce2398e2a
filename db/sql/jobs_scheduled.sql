-- jobs_scheduled(queue, class_name, before, limit) -> job, state, error, since, process_id
-- The newest scheduled jobs below a number.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at, 'scheduled', NULL, e.created_at, NULL
FROM solid_queue_scheduled_executions e
JOIN solid_queue_jobs j ON j.id = e.job_id
WHERE e.job_id < :before AND (j.queue_name = :queue OR :queue IS NULL)
	AND (j.class_name = :class_name OR :class_name IS NULL)
ORDER BY e.job_id DESC LIMIT :limit;
