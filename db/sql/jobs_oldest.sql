-- jobs_oldest(queue, class_name, key, text, since, until, after, before, limit) -> job, state, error, since, process_id
-- The oldest jobs of any state between two numbers.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at,
	CASE WHEN j.finished_at IS NOT NULL THEN 'finished' WHEN r.id IS NOT NULL THEN 'ready'
		WHEN c.id IS NOT NULL THEN 'claimed' WHEN f.id IS NOT NULL THEN 'failed'
		WHEN s.id IS NOT NULL THEN 'scheduled' WHEN b.id IS NOT NULL THEN 'blocked' END,
	f.error, COALESCE(j.finished_at, r.created_at, c.created_at, f.created_at, s.created_at, b.created_at), c.process_id
FROM (SELECT * FROM solid_queue_jobs n
	WHERE n.id > :after AND n.id < :before AND (n.queue_name = :queue OR :queue IS NULL)
		AND (n.class_name = :class_name OR :class_name IS NULL)
		AND (n.concurrency_key = :key OR :key IS NULL)
		AND (n.created_at >= :since OR :since IS NULL)
		AND (n.created_at < :until OR :until IS NULL)
		AND (:text = '' OR lower(n.arguments) LIKE lower(:text) ESCAPE '!'
			OR lower((SELECT e.error FROM solid_queue_failed_executions e
				WHERE e.job_id = n.id)) LIKE lower(:text) ESCAPE '!')
	ORDER BY n.id LIMIT :limit) j
LEFT JOIN solid_queue_ready_executions r ON r.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_scheduled_executions s ON s.job_id = j.id
LEFT JOIN solid_queue_blocked_executions b ON b.job_id = j.id
ORDER BY j.id;
