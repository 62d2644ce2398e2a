-- jobs_failed_oldest(queue, class_name, key, text, since, until, after, before, limit) -> job, state, error, since, process_id
-- The oldest failed jobs between two numbers.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at, 'failed', e.error, e.created_at, NULL
FROM solid_queue_failed_executions e
JOIN solid_queue_jobs j ON j.id = e.job_id
WHERE e.job_id > :after AND e.job_id < :before
	AND (j.queue_name = :queue OR :queue IS NULL)
	AND (j.class_name = :class_name OR :class_name IS NULL)
	AND (j.concurrency_key = :key OR :key IS NULL)
	AND (j.created_at >= :since OR :since IS NULL) AND (j.created_at < :until OR :until IS NULL)
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!'
		OR lower(e.error) LIKE lower(:text) ESCAPE '!')
ORDER BY e.job_id LIMIT :limit;
