-- slots_gate(jobs, process_id, now) -> job_id

-- @mysql
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

-- @postgresql
-- Decides about jobs that a process has claimed without a slot of ours; their semaphores are
-- locked. As many as Solid Queue can have let in get their slot: as many as its semaphore has
-- given slots away beyond those that we, and running jobs without a slot of ours, hold. A slot
-- row whose job neither runs nor is ready holds nothing, for Solid Queue has ended that job. The
-- other jobs become blocked, until slots_admit, and are returned; so are those that need several
-- keys, which Solid Queue does not know.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, CAST(:now AS timestamp) FROM solid_queue_jobs j
WHERE j.id {in:jobs}
	AND (SELECT c.process_id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) = :process_id
	AND (SELECT k.job_id FROM dray_keys k WHERE k.job_id = j.id LIMIT 1) IS NULL
	AND (SELECT count(*) FROM solid_queue_jobs e
			WHERE e.id {in:jobs} AND e.concurrency_key = j.concurrency_key AND e.id <= j.id)
		<= (SELECT l.slots FROM dray_classes l
			WHERE l.class_name = j.class_name AND l.position = 0)
		- (SELECT p.value FROM solid_queue_semaphores p WHERE p.key = j.concurrency_key)
		- (SELECT {include:slots_in_use j.concurrency_key})
		- (SELECT count(*) FROM solid_queue_claimed_executions c CROSS JOIN LATERAL (
				SELECT o.id, o.concurrency_key FROM solid_queue_jobs o
				WHERE o.id = c.job_id OFFSET 0) o
			WHERE o.concurrency_key = j.concurrency_key AND NOT (o.id {in:jobs})
				AND {include:holds_no_slot o.id})
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
-- rows
WITH gone AS (
	DELETE FROM solid_queue_claimed_executions c
	WHERE c.job_id {in:jobs} AND c.process_id = :process_id
		AND {include:holds_no_slot c.job_id}
	RETURNING c.job_id
), blocked AS (
	{include:insert_blocked}
	FROM gone {include:job_of gone.job_id AND finished_at IS NULL}
	{include:first_limit}
	ORDER BY j.id
	{include:unless_there}
)
SELECT job_id FROM gone;

-- @sqlite
-- Decides about jobs that a process has claimed without a slot of ours; their semaphores are
-- locked. As many as Solid Queue can have let in get their slot: as many as its semaphore has
-- given slots away beyond those that we, and running jobs without a slot of ours, hold. A slot
-- row whose job neither runs nor is ready holds nothing, for Solid Queue has ended that job. The
-- other jobs become blocked, until slots_admit, and are returned; so are those that need several
-- keys, which Solid Queue does not know. The + keeps SQLite from starting at the index on
-- finished_at.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now FROM solid_queue_jobs j
WHERE j.id {in:jobs}
	AND (SELECT c.process_id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) = :process_id
	AND (SELECT k.job_id FROM dray_keys k WHERE k.job_id = j.id LIMIT 1) IS NULL
	AND (SELECT count(*) FROM solid_queue_jobs e
			WHERE e.id {in:jobs} AND e.concurrency_key = j.concurrency_key AND e.id <= j.id)
		<= (SELECT l.slots FROM dray_classes l
			WHERE l.class_name = j.class_name AND l.position = 0)
		- (SELECT p.value FROM solid_queue_semaphores p WHERE p.key = j.concurrency_key)
		- (SELECT {include:slots_in_use j.concurrency_key})
		- (SELECT count(*) FROM solid_queue_claimed_executions c
			CROSS JOIN solid_queue_jobs o ON o.id = c.job_id
			WHERE o.concurrency_key = j.concurrency_key AND NOT (o.id {in:jobs})
				AND {include:holds_no_slot o.id})
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
{include:insert_blocked}
FROM solid_queue_jobs j
JOIN solid_queue_claimed_executions c ON c.job_id = j.id AND c.process_id = :process_id
{include:first_limit}
WHERE j.id {in:jobs} AND +j.finished_at IS NULL
	AND {include:holds_no_slot j.id}
ORDER BY j.id
{include:unless_there};
-- rows
DELETE FROM solid_queue_claimed_executions
WHERE job_id {in:jobs} AND process_id = :process_id
	AND {include:holds_no_slot solid_queue_claimed_executions.job_id}
RETURNING job_id;
