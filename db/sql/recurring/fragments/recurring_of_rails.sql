-- The tasks in Rails' table, and what is known of their last run: Rails' own are only in the table of
-- executions.
SELECT s.key, s.static,
	CASE WHEN d.task_key IS NULL OR (NOT s.static AND d.since < s.created_at) THEN s.schedule
		ELSE d.schedule END, s.command, s.class_name, s.arguments, s.queue_name,
	s.priority, s.description, s.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, COALESCE(r.run_at,
		(SELECT max(e.run_at) FROM solid_queue_recurring_executions e WHERE e.task_key = s.key)),
	r.outcome, COALESCE(r.job_id, j.id), j.id, j.finished_at, f.id, c.id, {include:last_outcome j.id}, s.schedule
FROM solid_queue_recurring_tasks s
LEFT JOIN dray_recurring_tasks d ON d.task_key = s.key
LEFT JOIN dray_recurring_runs r ON r.task_key = s.key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = s.key)
LEFT JOIN solid_queue_jobs j ON j.id = COALESCE(r.job_id,
	(SELECT e.job_id FROM solid_queue_recurring_executions e WHERE e.task_key = s.key AND e.run_at =
		(SELECT max(x.run_at) FROM solid_queue_recurring_executions x WHERE x.task_key = s.key)))
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
