-- recurring_record(runs, now) -> job_id
-- Records the occurrences that jobs enqueued with `now` are for: runs is [{"active_job_id",
-- "task_key", "run_at", "outcome", "since", "dynamic"}], in the order of keys. An occurrence
-- that was decided on already, by us or by Rails, keeps what it has. A time is no occurrence
-- when its task was paused then, or had not been resumed yet, or had another schedule than the
-- one by which it was fired (since), or when its dynamic task is gone. In all these cases the
-- new job is deleted again, and returned.
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
