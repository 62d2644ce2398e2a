-- recurring_busy(keys) -> key
-- Those of these tasks (["key"]) whose last job is neither finished nor failed.
-- read
-- rows
SELECT x.name
FROM JSON_TABLE(:keys, '$[*]' COLUMNS (name varchar(255) {as_jobs} PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY)
	ON j.id = (SELECT r.job_id FROM dray_recurring_runs r FORCE INDEX (PRIMARY)
		WHERE r.task_key = x.name AND r.job_id IS NOT NULL ORDER BY r.run_at DESC LIMIT 1)
LEFT JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = j.id
WHERE j.finished_at IS NULL AND f.id IS NULL;
