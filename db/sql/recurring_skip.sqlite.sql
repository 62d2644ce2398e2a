-- recurring_skip(runs, now) ->
-- Moments without a job, and why: runs is [{"task_key", "run_at", "outcome"}].
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, created_at)
SELECT value ->> 'task_key', value ->> 'run_at', value ->> 'outcome', :now
FROM json_each(:runs)
WHERE true
ON CONFLICT (task_key, run_at) DO NOTHING;
