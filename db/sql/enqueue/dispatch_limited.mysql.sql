-- dispatch_limited(jobs, now) ->
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit. Their semaphores are
-- locked already, where Solid Queue locks the scheduled row first: what it has locked is left to it. Rows
-- are locked by the index that it uses, and then the row: if only the row were locked, its dispatcher
-- would pass it by, keep the index's lock and wait for a semaphore, and this would wait for the index.
SELECT JSON_ARRAYAGG(due.id) INTO @dray_due FROM (
	SELECT s.id
	FROM (SELECT DISTINCT w.scheduled_at, w.priority, w.job_id
		FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
		STRAIGHT_JOIN solid_queue_scheduled_executions w
			FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON w.job_id = x.id
		WHERE w.scheduled_at <= :now) d
	STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (index_solid_queue_dispatch_all)
		ON s.scheduled_at = d.scheduled_at AND s.priority = d.priority AND s.job_id = d.job_id
	{skip_locked}) due;
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	DATE_ADD(:now, INTERVAL COALESCE(l.duration_ms, 180000) * 1000 MICROSECOND), :now
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id
LEFT JOIN dray_limits l FORCE INDEX (PRIMARY) ON l.class_name = j.class_name AND l.position = 0
ORDER BY j.id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
DELETE s
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
