-- recurring_record(runs, now) -> job_id
-- Records the occurrences that jobs enqueued with `now` are for: runs is [{"active_job_id",
-- "task_key", "run_at", "outcome", "since", "dynamic"}], in the order of keys. An occurrence
-- that was decided on already, by us or by Rails, keeps what it has. A time is no occurrence
-- when its task was paused then, or had not been resumed yet, or had another schedule than the
-- one by which it was fired (since), or when its dynamic task is gone. In all these cases the
-- new job is deleted again, and returned.
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
