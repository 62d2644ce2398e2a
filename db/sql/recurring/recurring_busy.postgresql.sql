-- recurring_busy(keys, besides) -> position, run_at
-- Finds those of these tasks (["key"], positions from 0) whose last job is neither finished nor
-- failed, and the occurrence that the job is for (null: somebody asked for the run, which
-- decides on no occurrence). Jobs of the outcome `besides` do not count: a run that somebody
-- asked for may be the last to begin, and yet end before the one that its schedule began.
-- read
-- rows
SELECT x.position - 1, CASE WHEN r.outcome <> 'manual' THEN r.run_at END
FROM json_array_elements_text(:keys::json) WITH ORDINALITY x (task_key, position)
CROSS JOIN LATERAL (
	SELECT job_id, run_at, outcome FROM dray_recurring_runs
	WHERE task_key = x.task_key AND job_id IS NOT NULL AND outcome <> :besides
	ORDER BY run_at DESC LIMIT 1) r
JOIN solid_queue_jobs j ON j.id = r.job_id
WHERE j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id);
