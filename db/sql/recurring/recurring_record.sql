-- recurring_record(runs, now) -> job_id
-- Records the occurrences that jobs enqueued with `now` are for: runs is [{"active_job_id",
-- "task_key", "run_at", "outcome", "since", "dynamic"}], in the order of keys. An occurrence
-- that was decided on already, by us or by Rails, keeps what it has. A time is no occurrence
-- when its task was paused then, or had not been resumed yet, or had another schedule than the
-- one by which it was fired (since), or when its dynamic task is gone. In all these cases the
-- new job is deleted again, and returned.

-- @mysql
-- This follows the enqueue of these jobs, which has left
-- their ids in @dray_jobs. What was recorded is found by `now` rather than by reading the JSON
-- again; of another connection with the same `now` only what is committed can be seen, which has
-- its row in both tables.
INSERT INTO dray_recurring_runs (task_key, run_at, job_id, outcome, created_at)
SELECT x.task_key, x.run_at, j.id, x.outcome, :now
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	task_key varchar(255) {as_jobs} PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at',
	outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome',
	since datetime(6) PATH '$.since',
	is_dynamic int PATH '$.dynamic')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
LEFT JOIN dray_recurring_tasks d FORCE INDEX (PRIMARY) ON d.task_key = x.task_key
WHERE j.created_at = :now AND (x.outcome = 'manual'
	OR ((x.is_dynamic IS NULL OR EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
			FORCE INDEX (index_solid_queue_recurring_tasks_on_key)
			WHERE s.key = x.task_key AND NOT s.static)
			OR EXISTS (SELECT 1 FROM dray_recurring_own o FORCE INDEX (PRIMARY)
			WHERE o.task_key = x.task_key AND NOT o.static))
		AND ((d.since <> x.since AND x.run_at > d.since)
			OR x.run_at > d.paused_at
			OR (x.run_at <= d.resumed_at AND d.resumed_at <= :now)) IS NOT TRUE))
ON DUPLICATE KEY UPDATE outcome = dray_recurring_runs.outcome;
INSERT INTO solid_queue_recurring_executions (job_id, task_key, run_at, created_at)
SELECT r.job_id, r.task_key, r.run_at, :now
FROM dray_recurring_runs r FORCE INDEX (index_dray_recurring_runs_on_created_at)
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = r.job_id
WHERE r.created_at = :now AND j.created_at = :now
ON DUPLICATE KEY UPDATE
	task_key = IF(solid_queue_recurring_executions.task_key = VALUES(task_key),
		solid_queue_recurring_executions.task_key, NULL);
SELECT JSON_ARRAYAGG(x.id) INTO @dray_repeated
FROM {include:ids @dray_jobs} x
LEFT JOIN solid_queue_recurring_executions e
	FORCE INDEX (index_solid_queue_recurring_executions_on_job_id) ON e.job_id = x.id
WHERE e.id IS NULL;
-- rows
SELECT x.id FROM {include:ids @dray_repeated} x;
DELETE j
FROM {include:ids @dray_repeated} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.created_at = :now;

-- @postgresql
INSERT INTO dray_recurring_runs (task_key, run_at, job_id, outcome, created_at)
SELECT x.task_key, x.run_at, j.id, x.outcome, :now
FROM json_to_recordset(:runs::json) AS x(active_job_id text, task_key text, run_at timestamp,
	outcome text, since timestamp, dynamic integer)
CROSS JOIN LATERAL (
	SELECT id FROM solid_queue_jobs
	WHERE active_job_id = x.active_job_id AND created_at = :now::timestamp OFFSET 0) j
WHERE (x.outcome = 'manual'
	OR ((x.dynamic IS NULL OR coalesce(
			(SELECT NOT s.static FROM solid_queue_recurring_tasks s WHERE s.key = x.task_key),
			(SELECT NOT o.static FROM dray_recurring_own o WHERE o.task_key = x.task_key)))
		AND NOT EXISTS (SELECT 1 FROM dray_recurring_tasks d
			WHERE d.task_key = x.task_key
				AND ((d.since <> x.since AND x.run_at > d.since)
					OR x.run_at > d.paused_at
					OR (x.run_at <= d.resumed_at AND d.resumed_at <= :now::timestamp)))))
ON CONFLICT (task_key, run_at) DO NOTHING;
INSERT INTO solid_queue_recurring_executions (job_id, task_key, run_at, created_at)
SELECT r.job_id, x.task_key, x.run_at, :now
FROM json_to_recordset(:runs::json) AS x(active_job_id text, task_key text, run_at timestamp)
CROSS JOIN LATERAL (
	SELECT id FROM solid_queue_jobs
	WHERE active_job_id = x.active_job_id AND created_at = :now::timestamp OFFSET 0) j
CROSS JOIN LATERAL (
	SELECT job_id FROM dray_recurring_runs
	WHERE task_key = x.task_key AND run_at = x.run_at AND job_id = j.id OFFSET 0) r
ON CONFLICT (task_key, run_at) DO NOTHING;
-- rows
DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
	SELECT j.id
	FROM json_to_recordset(:runs::json) AS x(active_job_id text)
	CROSS JOIN LATERAL (
		SELECT id FROM solid_queue_jobs
		WHERE active_job_id = x.active_job_id AND created_at = :now::timestamp OFFSET 0) j
	WHERE (SELECT e.id FROM solid_queue_recurring_executions e WHERE e.job_id = j.id) IS NULL))
RETURNING id;

-- @sqlite
INSERT INTO dray_recurring_runs (task_key, run_at, job_id, outcome, created_at)
SELECT x.value ->> 'task_key', x.value ->> 'run_at', j.id, x.value ->> 'outcome', :now
FROM json_each(:runs) x
CROSS JOIN solid_queue_jobs j ON j.active_job_id = (x.value ->> 'active_job_id')
WHERE j.created_at = :now AND ((x.value ->> 'outcome') = 'manual'
	OR (((x.value ->> 'dynamic') IS NULL OR EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
			WHERE s.key = (x.value ->> 'task_key') AND NOT s.static)
			OR EXISTS (SELECT 1 FROM dray_recurring_own o
			WHERE o.task_key = (x.value ->> 'task_key') AND NOT o.static))
		AND NOT EXISTS (SELECT 1 FROM dray_recurring_tasks d
			WHERE d.task_key = (x.value ->> 'task_key')
				AND ((d.since <> (x.value ->> 'since') AND (x.value ->> 'run_at') > d.since)
					OR (x.value ->> 'run_at') > d.paused_at
					OR ((x.value ->> 'run_at') <= d.resumed_at AND d.resumed_at <= :now)))))
ON CONFLICT (task_key, run_at) DO NOTHING;
INSERT INTO solid_queue_recurring_executions (job_id, task_key, run_at, created_at)
SELECT r.job_id, r.task_key, r.run_at, :now
FROM json_each(:runs) x
CROSS JOIN dray_recurring_runs r
	ON r.task_key = (x.value ->> 'task_key') AND r.run_at = (x.value ->> 'run_at')
CROSS JOIN solid_queue_jobs j ON j.id = r.job_id
WHERE j.active_job_id = (x.value ->> 'active_job_id') AND j.created_at = :now
ON CONFLICT (task_key, run_at) DO NOTHING;
-- rows
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT j.id FROM json_each(:runs) x
	CROSS JOIN solid_queue_jobs j ON j.active_job_id = (x.value ->> 'active_job_id')
	WHERE j.created_at = :now AND NOT EXISTS (
		SELECT 1 FROM solid_queue_recurring_executions e WHERE e.job_id = j.id))
RETURNING id;
