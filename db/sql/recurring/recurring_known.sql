-- recurring_known(now) -> key, since, last_run_at
-- Lists our tasks, since when each has its schedule, and its last occurrence that was decided
-- on.
-- read
-- rows
SELECT d.task_key, d.since, (SELECT r.run_at FROM dray_recurring_runs r {index:PRIMARY}
	WHERE r.task_key = d.task_key AND r.run_at <= :now AND r.outcome <> 'manual'
	ORDER BY r.run_at DESC LIMIT 1)
FROM dray_recurring_tasks d
ORDER BY d.task_key;
