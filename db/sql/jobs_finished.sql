-- jobs_finished(queue, class_name, key, text, since, until, after, before, limit) -> job, state, error, since, process_id
-- The newest finished jobs between two numbers.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at, 'finished', NULL, j.finished_at, NULL
FROM solid_queue_jobs j
WHERE j.id > :after AND j.id < :before AND j.finished_at IS NOT NULL
	AND (j.queue_name = :queue OR :queue IS NULL)
	AND (j.class_name = :class_name OR :class_name IS NULL)
	AND (j.concurrency_key = :key OR :key IS NULL)
	AND (j.created_at >= :since OR :since IS NULL) AND (j.created_at < :until OR :until IS NULL)
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
ORDER BY j.id DESC LIMIT :limit;
