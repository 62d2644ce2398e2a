-- jobs_finished(queue, class_name, before, limit) -> job, state, error, since, process_id
-- The newest finished jobs below a number.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at, 'finished', NULL, j.finished_at, NULL
FROM solid_queue_jobs j
WHERE j.id < :before AND j.finished_at IS NOT NULL AND (j.queue_name = :queue OR :queue IS NULL)
	AND (j.class_name = :class_name OR :class_name IS NULL)
ORDER BY j.id DESC LIMIT :limit;
