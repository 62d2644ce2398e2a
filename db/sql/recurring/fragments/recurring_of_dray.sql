-- The tasks in dray's own table, whose schedules Rails cannot read, and what is known of their last
-- run.
SELECT o.task_key, o.static, d.schedule, o.command, o.class_name, o.arguments, o.queue_name,
	o.priority, o.description, o.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, r.run_at, r.outcome, r.job_id, j.id, j.finished_at, f.id, c.id, {include:last_outcome j.id}, NULL
FROM dray_recurring_own o
JOIN dray_recurring_tasks d ON d.task_key = o.task_key
LEFT JOIN dray_recurring_runs r ON r.task_key = o.task_key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = o.task_key)
LEFT JOIN solid_queue_jobs j ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = r.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = r.job_id
