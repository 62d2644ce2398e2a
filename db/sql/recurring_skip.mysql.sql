-- recurring_skip(runs, now) ->
-- Moments without a job, and why: runs is [{"task_key", "run_at", "outcome"}].
INSERT INTO dray_recurring_runs (task_key, run_at, outcome, created_at)
SELECT x.task_key, x.run_at, x.outcome, :now
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	task_key varchar(255) CHARACTER SET utf8mb4 PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at',
	outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome')) x
ON DUPLICATE KEY UPDATE outcome = dray_recurring_runs.outcome;
