-- mend_twice(jobs) ->
-- Jobs that are in several tables stay in one: claimed before failed before ready before blocked
-- before scheduled, which is how far a job has come. The row that stays is locked before another is
-- deleted: whoever moves a job locks its row first, so it is there when we commit.
WITH kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
), failed AS (
	DELETE FROM solid_queue_failed_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
), ready AS (
	DELETE FROM solid_queue_ready_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
), blocked AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
)
DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept));
WITH kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_failed_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
), ready AS (
	DELETE FROM solid_queue_ready_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
), blocked AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
)
DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept));
WITH kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_ready_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
), blocked AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
)
DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept));
WITH kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_blocked_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
)
DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept));
