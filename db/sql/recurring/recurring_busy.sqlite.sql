-- recurring_busy(keys, besides) -> position, run_at
-- Finds those of these tasks (["key"], positions from 0) whose last job is neither finished nor
-- failed, and the occurrence that the job is for (null: somebody asked for the run, which
-- decides on no occurrence). Jobs of the outcome `besides` do not count: a run that somebody
-- asked for may be the last to begin, and yet end before the one that its schedule began.
-- read
-- rows
SELECT x.key, CASE WHEN r.outcome <> 'manual' THEN r.run_at END
FROM json_each(:keys) x
CROSS JOIN dray_recurring_runs r ON r.task_key = x.value AND r.run_at = (
	SELECT l.run_at FROM dray_recurring_runs l
	WHERE l.task_key = x.value AND l.job_id IS NOT NULL AND l.outcome <> :besides
	ORDER BY l.run_at DESC LIMIT 1)
CROSS JOIN solid_queue_jobs j ON j.id = r.job_id
WHERE j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id);
