-- retry(jobs, now, audit) -> job_id
-- Makes failed jobs ([{"job_id", "arguments" or null, "executions"}]) ready again, or blocked,
-- until slots_admit, where they are limited; arguments replace the payload. Losses are
-- forgotten, but not how often the job has run: the runs that were lost, the one that failed
-- unless it was lost, and `executions`, which the payload forgets. `audit` is the line of the
-- audit trail that counts them.
-- rows
WITH wanted AS (
	SELECT * FROM json_to_recordset(:jobs::json) AS x(job_id bigint, arguments text, executions integer)
), gone AS (
	DELETE FROM solid_queue_failed_executions
	WHERE job_id = ANY (ARRAY(SELECT job_id FROM wanted))
	RETURNING job_id, created_at
), reset AS (
	UPDATE solid_queue_jobs j SET arguments = wanted.arguments, updated_at = :now
	FROM wanted
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM gone))
		AND wanted.job_id = j.id AND wanted.arguments IS NOT NULL
), forgotten AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at, runs_before)
	SELECT gone.job_id, 0, :now, COALESCE(l.losses, 0) + COALESCE(l.runs_before, 0)
		+ CASE WHEN l.last_lost_at = gone.created_at THEN 0 ELSE 1 END
		+ COALESCE((SELECT max(wanted.executions) FROM wanted WHERE wanted.job_id = gone.job_id), 0)
	FROM gone LEFT JOIN LATERAL (
		SELECT losses, runs_before, last_lost_at FROM dray_losses
		WHERE dray_losses.job_id = gone.job_id OFFSET 0) l ON true
	ON CONFLICT (job_id) DO UPDATE
	SET losses = 0, last_lost_at = excluded.last_lost_at, runs_before = excluded.runs_before
), ready AS (
	{include:insert_ready}
	FROM gone {include:job_of gone.job_id}
	WHERE j.concurrency_key IS NULL
	{include:unless_there}
), blocked AS (
	{include:insert_blocked}
	FROM gone {include:job_of gone.job_id}
	{include:first_limit}
	WHERE j.concurrency_key IS NOT NULL
	ORDER BY j.id
	{include:unless_there}
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;
