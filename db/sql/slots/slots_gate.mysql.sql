-- slots_gate(jobs, process_id, now) -> job_id
-- Decides about jobs that a process has claimed without a slot of ours; their semaphores are
-- locked. As many as Solid Queue can have let in get their slot: as many as its semaphore has
-- given slots away beyond those that we, and running jobs without a slot of ours, hold. A slot
-- row whose job neither runs nor is ready holds nothing, for Solid Queue has ended that job. The
-- other jobs become blocked, until slots_admit, and are returned; so are those that need several
-- keys, which Solid Queue does not know.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = j.id AND m.process_id = :process_id
WHERE (SELECT k.job_id FROM dray_keys k FORCE INDEX (PRIMARY) WHERE k.job_id = j.id LIMIT 1) IS NULL
	AND (SELECT COUNT(*)
			FROM {include:ids :jobs} y
			STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY) ON e.id = y.id
			WHERE e.concurrency_key = j.concurrency_key AND e.id <= j.id)
		<= CAST((SELECT l.slots FROM dray_classes l FORCE INDEX (PRIMARY)
			WHERE l.class_name = j.class_name AND l.position = 0) AS SIGNED)
		- (SELECT p.value FROM solid_queue_semaphores p
			FORCE INDEX (index_solid_queue_semaphores_on_key) WHERE p.`key` = j.concurrency_key)
		- (SELECT {include:slots_in_use j.concurrency_key})
		- (SELECT COUNT(*) FROM solid_queue_claimed_executions c
			STRAIGHT_JOIN solid_queue_jobs o FORCE INDEX (PRIMARY) ON o.id = c.job_id
			WHERE o.concurrency_key = j.concurrency_key
				AND NOT JSON_CONTAINS(:jobs, CAST(o.id AS CHAR))
				AND {include:holds_no_slot o.id})
{include:unless_there dray_slots};
{include:insert_blocked}
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id AND j.finished_at IS NULL
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = j.id AND m.process_id = :process_id
{include:first_limit}
WHERE {include:holds_no_slot j.id}
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
DELETE m
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_claimed_executions m
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	ON m.job_id = x.id AND m.process_id = :process_id
WHERE {include:holds_no_slot x.id};
-- rows
SELECT d.id
FROM {include:distinct_ids :jobs} d
WHERE (SELECT c.id FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
	WHERE c.job_id = d.id AND c.process_id = :process_id) IS NULL;
