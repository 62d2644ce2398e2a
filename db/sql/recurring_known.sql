-- recurring_known(now) -> key, since, last_run_at
-- Every task of ours, since when it has its schedule, and the last moment decided on.
-- read
-- rows
SELECT d.task_key, d.since, (SELECT max(r.run_at) FROM dray_recurring_runs r
	WHERE r.task_key = d.task_key AND r.run_at <= :now)
FROM dray_recurring_tasks d
ORDER BY d.task_key;
