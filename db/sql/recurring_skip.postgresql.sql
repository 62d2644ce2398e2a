-- recurring_skip(runs, now) ->
-- Moments without a job, and why: runs is [{"task_key", "run_at", "outcome"}]. Those of a time at
-- which their task was paused are none.
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, created_at)
SELECT x.task_key, x.run_at, x.outcome, :now
FROM json_to_recordset(:runs::json) AS x(task_key text, run_at timestamp, outcome text)
WHERE (SELECT x.run_at > d.paused_at AND (d.resumed_at IS NULL OR x.run_at <= d.resumed_at)
	FROM dray_recurring_tasks d WHERE d.task_key = x.task_key) IS NOT TRUE
ON CONFLICT (task_key, run_at) DO NOTHING;
