-- discard(jobs, audit) -> job_id
-- Deletes these jobs, unless they are in progress or finished. The execution rows go first:
-- whichever deletes a ready row, this script or a worker's claim, decides what happens to the
-- job. `audit` is the line of the audit trail that counts them.
DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_failed_executions WHERE job_id {in:jobs};
-- rows
WITH gone AS (
	DELETE FROM solid_queue_jobs WHERE id {in:jobs} AND finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = solid_queue_jobs.id)
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT id FROM gone;
