-- recurring_busy(keys) -> key
-- Those of these tasks (["key"]) whose last job is neither finished nor failed.
-- read
-- rows
SELECT x.value
FROM json_each(:keys) x
CROSS JOIN solid_queue_jobs j ON j.id = (SELECT r.job_id FROM dray_recurring_runs r
	WHERE r.task_key = x.value AND r.job_id IS NOT NULL ORDER BY r.run_at DESC LIMIT 1)
WHERE j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id);
