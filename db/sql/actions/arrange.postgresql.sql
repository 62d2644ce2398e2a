-- arrange(jobs, queue, priority, now, audit) -> job_id
-- Moves waiting jobs (ready, scheduled, blocked, failed) to another queue, gives them another
-- priority, or both; NULL leaves what is there. The execution rows come first, so a job that is
-- claimed or dispatched meanwhile stays as it is. `audit` is the line of the audit trail that
-- counts them.
-- rows
WITH ready AS (
	UPDATE solid_queue_ready_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), scheduled AS (
	UPDATE solid_queue_scheduled_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), blocked AS (
	UPDATE solid_queue_blocked_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), failed AS (
	SELECT job_id FROM solid_queue_failed_executions WHERE job_id = ANY (:jobs::bigint[])
	FOR UPDATE
), moved AS (
	UPDATE solid_queue_jobs SET {include:arranged}, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM ready UNION ALL SELECT job_id FROM scheduled
		UNION ALL SELECT job_id FROM blocked UNION ALL SELECT job_id FROM failed))
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM moved) WHERE id = :audit
)
SELECT id FROM moved;
