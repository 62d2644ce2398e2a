-- recurring_skip(runs, now) ->
-- Records occurrences without a job, and why: runs is [{"task_key", "run_at", "outcome",
-- "first_at", "occurrences"}]; run_at is the last of so many since first_at. A time at which the
-- task was paused, or before it was resumed, is no occurrence.
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, first_at, moments, created_at)
SELECT x.task_key, x.run_at, x.outcome, x.first_at, x.occurrences, :now
FROM json_to_recordset(:runs::json) AS x(task_key text, run_at timestamp, outcome text,
	first_at timestamp, occurrences integer)
WHERE (SELECT x.run_at > d.paused_at
		OR (x.run_at <= d.resumed_at AND d.resumed_at <= :now::timestamp)
	FROM dray_recurring_tasks d WHERE d.task_key = x.task_key) IS NOT TRUE
ON CONFLICT (task_key, run_at) DO NOTHING;
