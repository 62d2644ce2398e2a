-- recurring_list() -> key, static, schedule, command, class_name, arguments, queue_name, priority, description, updated_at, settings, since, paused_at, paused_by, paused_host, pause_reason, run_at, outcome, job_id, job, finished_at, failed, claimed, rails
-- Every task that anybody has published or added, and what is known of its last run.
-- read
-- rows
SELECT s.key, s.static,
	CASE WHEN d.task_key IS NULL OR (NOT s.static AND d.since < s.created_at) THEN s.schedule
		ELSE d.schedule END, s.command, s.class_name, s.arguments, s.queue_name,
	s.priority, s.description, s.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, r.run_at, r.outcome, r.job_id, j.id, j.finished_at, f.id, c.id, s.schedule
FROM solid_queue_recurring_tasks s
LEFT JOIN dray_recurring_tasks d ON d.task_key = s.key
LEFT JOIN dray_recurring_runs r ON r.task_key = s.key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = s.key)
LEFT JOIN solid_queue_jobs j ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = r.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = r.job_id
UNION ALL
SELECT o.task_key, o.static, d.schedule, o.command, o.class_name, o.arguments, o.queue_name,
	o.priority, o.description, o.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, r.run_at, r.outcome, r.job_id, j.id, j.finished_at, f.id, c.id, NULL
FROM dray_recurring_own o
JOIN dray_recurring_tasks d ON d.task_key = o.task_key
LEFT JOIN dray_recurring_runs r ON r.task_key = o.task_key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = o.task_key)
LEFT JOIN solid_queue_jobs j ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = r.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = r.job_id
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = o.task_key)
ORDER BY 1;
