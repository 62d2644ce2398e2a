-- recurring_skip(runs, now) ->
-- Records occurrences without a job, and why: runs is [{"task_key", "run_at", "outcome",
-- "first_at", "occurrences"}]; run_at is the last of so many since first_at. A time at which the
-- task was paused, or before it was resumed, is no occurrence.
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
