-- recurring_busy(keys, besides) -> position, run_at
-- Finds those of these tasks (["key"], positions from 0) whose last job is neither finished nor
-- failed, and the occurrence that the job is for (null: somebody asked for the run, which
-- decides on no occurrence). Jobs of the outcome `besides` do not count: a run that somebody
-- asked for may be the last to begin, and yet end before the one that its schedule began.
-- read
-- rows
SELECT x.position - 1, CASE WHEN r.outcome <> 'manual' THEN r.run_at END
FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	position FOR ORDINALITY, name varchar(255) {as_jobs} PATH '$')) x
STRAIGHT_JOIN dray_recurring_runs r FORCE INDEX (PRIMARY)
	ON r.task_key = x.name AND r.run_at = (
		SELECT l.run_at FROM dray_recurring_runs l FORCE INDEX (PRIMARY)
		WHERE l.task_key = x.name AND l.job_id IS NOT NULL AND l.outcome <> :besides
		ORDER BY l.run_at DESC LIMIT 1)
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = j.id
WHERE j.finished_at IS NULL AND f.id IS NULL;
