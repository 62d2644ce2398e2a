-- recurring_busy(keys) -> key
-- Those of these tasks (["key"]) whose last job is neither finished nor failed.
-- read
-- rows
SELECT x.task_key
FROM (SELECT json_array_elements_text(:keys::json) AS task_key) x
CROSS JOIN LATERAL (
	SELECT job_id FROM dray_recurring_runs
	WHERE task_key = x.task_key AND job_id IS NOT NULL ORDER BY run_at DESC LIMIT 1) r
JOIN solid_queue_jobs j ON j.id = r.job_id
WHERE j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id);
