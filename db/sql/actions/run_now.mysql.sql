-- run_now(jobs, now, audit) -> job_id
-- Scheduled jobs are due now: they go to ready, or to blocked when they are limited, until
-- slots_admit. `audit` is the line of the audit trail that counts them.
SELECT JSON_ARRAYAGG(s.id) INTO @dray_due FROM (
	SELECT s.id
	FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x) d
	STRAIGHT_JOIN solid_queue_scheduled_executions s
		FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON s.job_id = d.id
	FOR UPDATE) s;
UPDATE JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id
SET j.scheduled_at = :now, j.updated_at = :now;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id
WHERE j.concurrency_key IS NULL
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	DATE_ADD(:now, INTERVAL COALESCE(l.duration_ms, 180000) * 1000 MICROSECOND), :now
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id
LEFT JOIN dray_limits l FORCE INDEX (PRIMARY) ON l.class_name = j.class_name AND l.position = 0
WHERE j.concurrency_key IS NOT NULL
ORDER BY j.id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
-- rows
SELECT s.job_id
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
DELETE s
FROM JSON_TABLE(@dray_due, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_due), 0) WHERE id = :audit;
