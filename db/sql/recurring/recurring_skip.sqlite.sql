-- recurring_skip(runs, now) ->
-- Records occurrences without a job, and why: runs is [{"task_key", "run_at", "outcome",
-- "first_at", "occurrences"}]; run_at is the last of so many since first_at. A time at which the
-- task was paused, or before it was resumed, is no occurrence.
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, first_at, moments, created_at)
SELECT value ->> 'task_key', value ->> 'run_at', value ->> 'outcome', value ->> 'first_at',
	value ->> 'occurrences', :now
FROM json_each(:runs)
WHERE NOT EXISTS (SELECT 1 FROM dray_recurring_tasks d
	WHERE d.task_key = (value ->> 'task_key') AND ((value ->> 'run_at') > d.paused_at
		OR ((value ->> 'run_at') <= d.resumed_at AND d.resumed_at <= :now)))
ON CONFLICT (task_key, run_at) DO NOTHING;
