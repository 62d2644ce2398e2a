-- cancel(jobs, audit, error, now) -> job_id
-- Ends those of these jobs that wait (ready, scheduled, blocked) as finished, and the history says
-- that they were cancelled, by whom and why (error). The execution rows go first: whichever deletes
-- a ready row, this script or a worker's claim, decides what happens to the job. `audit` is the
-- line of the audit trail that counts them.
-- rows
WITH ready AS (
	DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs} RETURNING job_id
), scheduled AS (
	DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} RETURNING job_id
), blocked AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs} RETURNING job_id
), ended AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM ready UNION ALL SELECT job_id FROM scheduled
			UNION ALL SELECT job_id FROM blocked)) AND finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = solid_queue_jobs.id)
	RETURNING id
), told AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
	SELECT id, 0, 0, :now, :now, 'cancelled', :error FROM ended
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM ended) WHERE id = :audit
)
SELECT id FROM ended;
