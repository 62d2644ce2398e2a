-- batches_leave_cancelled(now) ->
-- Takes the jobs that slots_cancel has ended at this time out of their batch; only where there are
-- batches (batches).
DELETE FROM solid_queue_batch_executions
WHERE job_id IN (SELECT a.job_id FROM dray_attempts a
	WHERE a.ended_at = :now AND a.outcome = 'cancelled' AND a.claim_id = 0 AND a.error_group IS NULL);
