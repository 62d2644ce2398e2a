-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, or blocked when
-- they are limited, until slots_admit; later ones scheduled. The new rows
-- are found again by active_job_id and created_at, because several enqueuers' ids may interleave:
-- once, since reading that JSON costs as much as inserting a row. The others use the ids. Two jobs
-- may have the same active_job_id: one of an earlier call in this transaction is found, too.
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT x.queue_name, x.class_name, x.arguments, x.priority, x.active_job_id,
	x.scheduled_at, x.concurrency_key, :now, :now
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	position FOR ORDINALITY,
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	priority int PATH '$.priority',
	active_job_id varchar(255) CHARACTER SET utf8mb4 PATH '$.active_job_id',
	scheduled_at datetime(6) PATH '$.scheduled_at',
	concurrency_key varchar(255) CHARACTER SET utf8mb4 PATH '$.concurrency_key')) x
ORDER BY x.position;
SELECT JSON_ARRAYAGG(j.id) INTO @dray_jobs
FROM (SELECT DISTINCT x.active_job_id FROM JSON_TABLE(:jobs, '$[*].active_job_id' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = d.active_job_id
WHERE j.created_at = :now;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.scheduled_at <= :now AND j.concurrency_key IS NULL
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	DATE_ADD(:now, INTERVAL COALESCE(l.duration_ms, 180000) * 1000 MICROSECOND), :now
FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
LEFT JOIN dray_limits l FORCE INDEX (PRIMARY) ON l.class_name = j.class_name AND l.position = 0
WHERE j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
ORDER BY j.id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.scheduled_at, :now
FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.scheduled_at > :now
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
-- rows
SELECT x.id FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x ORDER BY x.id;
