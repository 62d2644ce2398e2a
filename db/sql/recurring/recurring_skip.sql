-- recurring_skip(runs, now) ->
-- Records occurrences without a job, and why: runs is [{"task_key", "run_at", "outcome",
-- "first_at", "occurrences"}]; run_at is the last of so many since first_at. A time at which the
-- task was paused, or before it was resumed, is no occurrence.

-- @mysql
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, first_at, moments, created_at)
SELECT x.task_key, x.run_at, x.outcome, x.first_at, x.occurrences, :now
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	task_key varchar(255) {as_jobs} PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at',
	outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome',
	first_at datetime(6) PATH '$.first_at',
	occurrences int PATH '$.occurrences')) x
WHERE NOT EXISTS (SELECT 1 FROM dray_recurring_tasks d FORCE INDEX (PRIMARY)
	WHERE d.task_key = x.task_key AND (x.run_at > d.paused_at
		OR (x.run_at <= d.resumed_at AND d.resumed_at <= :now)))
ON DUPLICATE KEY UPDATE outcome = dray_recurring_runs.outcome;

-- @postgresql
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, first_at, moments, created_at)
SELECT x.task_key, x.run_at, x.outcome, x.first_at, x.occurrences, :now
FROM json_to_recordset(:runs::json) AS x(task_key text, run_at timestamp, outcome text,
	first_at timestamp, occurrences integer)
WHERE (SELECT x.run_at > d.paused_at
		OR (x.run_at <= d.resumed_at AND d.resumed_at <= :now::timestamp)
	FROM dray_recurring_tasks d WHERE d.task_key = x.task_key) IS NOT TRUE
ON CONFLICT (task_key, run_at) DO NOTHING;

-- @sqlite
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, first_at, moments, created_at)
SELECT value ->> 'task_key', value ->> 'run_at', value ->> 'outcome', value ->> 'first_at',
	value ->> 'occurrences', :now
FROM json_each(:runs)
WHERE NOT EXISTS (SELECT 1 FROM dray_recurring_tasks d
	WHERE d.task_key = (value ->> 'task_key') AND ((value ->> 'run_at') > d.paused_at
		OR ((value ->> 'run_at') <= d.resumed_at AND d.resumed_at <= :now)))
ON CONFLICT (task_key, run_at) DO NOTHING;
