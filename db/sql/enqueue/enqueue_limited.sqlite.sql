-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, or blocked when
-- they are limited, until slots_admit; later ones scheduled. The new rows
-- are found again by their number: one transaction writes at a time, so they are the last ones.
{include:insert_jobs};
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT id, queue_name, priority, :now FROM solid_queue_jobs
WHERE id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
	AND scheduled_at <= :now AND concurrency_key IS NULL
ORDER BY id;
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	strftime('%Y-%m-%d %H:%M:%f', :now,
		(COALESCE(l.duration_ms, 180000) / 1000.0) || ' seconds'), :now
FROM solid_queue_jobs j
LEFT JOIN dray_limits l ON l.class_name = j.class_name AND l.position = 0
WHERE j.id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
	AND j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
ORDER BY j.id;
{include:schedule_enqueued};
-- rows
SELECT id FROM solid_queue_jobs
WHERE id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
ORDER BY id;
