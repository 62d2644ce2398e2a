-- recurring_history(key, until, limit) -> run_at, outcome, job_id, decided_at, first_at, occurrences, run_state
-- Lists the occurrences of a task that were decided on, the latest first. One without a job may
-- be the last of so many since first_at.
-- read
-- rows
SELECT r.run_at, r.outcome, r.job_id, r.created_at, r.first_at, r.moments, j.id, j.finished_at, f.id, c.id,
	{include:last_outcome j.id}
FROM dray_recurring_runs r
LEFT JOIN solid_queue_jobs j ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = r.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = r.job_id
WHERE r.task_key = :key AND r.run_at < :until
ORDER BY r.run_at DESC LIMIT :limit;
