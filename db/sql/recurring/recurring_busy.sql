-- recurring_busy(keys, besides) -> position, run_at
-- Finds those of these tasks (["key"], positions from 0) whose last job is neither finished nor
-- failed, and the occurrence that the job is for (null: somebody asked for the run, which
-- decides on no occurrence). Jobs of the outcome `besides` do not count: a run that somebody
-- asked for may be the last to begin, and yet end before the one that its schedule began.
-- read

-- @mysql
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

-- @postgresql
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

-- @sqlite
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
