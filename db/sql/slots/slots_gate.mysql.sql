-- slots_gate(jobs, process_id, now) -> job_id
-- These jobs have been claimed by a process without a slot of ours, and their semaphores are locked. As
-- many as Solid Queue can have let in (its semaphore has given more slots than we and who runs without a
-- slot of ours hold) get their slot; a row whose job neither runs nor is ready holds nothing, for Solid
-- Queue has ended that job. The others become blocked, until slots_admit, and are returned; so
-- do those who need several keys, which Solid Queue does not know.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = j.id AND m.process_id = :process_id
WHERE (SELECT k.job_id FROM dray_keys k FORCE INDEX (PRIMARY) WHERE k.job_id = j.id LIMIT 1) IS NULL
	AND (SELECT COUNT(*)
			FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) y
			STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY) ON e.id = y.id
			WHERE e.concurrency_key = j.concurrency_key AND e.id <= j.id)
		<= CAST((SELECT l.slots FROM dray_limits l FORCE INDEX (PRIMARY)
			WHERE l.class_name = j.class_name AND l.position = 0) AS SIGNED)
		- (SELECT p.value FROM solid_queue_semaphores p
			FORCE INDEX (index_solid_queue_semaphores_on_key) WHERE p.`key` = j.concurrency_key)
		- (SELECT COUNT(*) FROM dray_slots h
			LEFT JOIN solid_queue_claimed_executions c
				FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = h.job_id
			LEFT JOIN solid_queue_ready_executions r
				FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = h.job_id
			WHERE h.concurrency_key = j.concurrency_key
				AND (c.id IS NOT NULL OR r.id IS NOT NULL))
		- (SELECT COUNT(*) FROM solid_queue_claimed_executions c
			STRAIGHT_JOIN solid_queue_jobs o FORCE INDEX (PRIMARY) ON o.id = c.job_id
			WHERE o.concurrency_key = j.concurrency_key
				AND NOT JSON_CONTAINS(:jobs, CAST(o.id AS CHAR))
				AND (SELECT s.job_id FROM dray_slots s FORCE INDEX (index_dray_slots_on_job_id)
					WHERE s.job_id = o.id LIMIT 1) IS NULL)
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	DATE_ADD(:now, INTERVAL COALESCE(l.duration_ms, 180000) * 1000 MICROSECOND), :now
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id AND j.finished_at IS NULL
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = j.id AND m.process_id = :process_id
LEFT JOIN dray_limits l FORCE INDEX (PRIMARY) ON l.class_name = j.class_name AND l.position = 0
WHERE (SELECT s.job_id FROM dray_slots s FORCE INDEX (index_dray_slots_on_job_id)
	WHERE s.job_id = j.id LIMIT 1) IS NULL
ORDER BY j.id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
DELETE m
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = x.id AND m.process_id = :process_id
WHERE (SELECT s.job_id FROM dray_slots s FORCE INDEX (index_dray_slots_on_job_id)
	WHERE s.job_id = x.id LIMIT 1) IS NULL;
-- rows
SELECT d.id
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x) d
WHERE (SELECT c.id FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	WHERE c.job_id = d.id AND c.process_id = :process_id) IS NULL;
