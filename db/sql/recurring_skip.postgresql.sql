-- recurring_skip(runs, now) ->
-- Moments without a job, and why: runs is [{"task_key", "run_at", "outcome"}].
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, created_at)
SELECT x.task_key, x.run_at, x.outcome, :now
FROM json_to_recordset(:runs::json) AS x(task_key text, run_at timestamp, outcome text)
ON CONFLICT (task_key, run_at) DO NOTHING;
