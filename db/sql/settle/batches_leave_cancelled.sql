-- batches_leave_cancelled(now) ->
-- Takes the jobs that slots_cancel has ended at this time out of their batch; only where there are
-- batches (batches).

-- @mysql
DELETE b
FROM dray_attempts a FORCE INDEX (index_dray_attempts_on_ended_at_and_error_group)
STRAIGHT_JOIN solid_queue_batch_executions b
	FORCE INDEX (index_solid_queue_batch_executions_on_job_id) ON b.job_id = a.job_id
WHERE a.ended_at = :now AND a.outcome = 'cancelled' AND a.claim_id = 0 AND a.error_group IS NULL;

-- @postgresql
DELETE FROM solid_queue_batch_executions
WHERE job_id = ANY (ARRAY(SELECT a.job_id FROM dray_attempts a
	WHERE a.ended_at = :now AND a.outcome = 'cancelled' AND a.claim_id = 0 AND a.error_group IS NULL));

-- @sqlite
DELETE FROM solid_queue_batch_executions
WHERE job_id IN (SELECT a.job_id FROM dray_attempts a
	WHERE a.ended_at = :now AND a.outcome = 'cancelled' AND a.claim_id = 0 AND a.error_group IS NULL);
