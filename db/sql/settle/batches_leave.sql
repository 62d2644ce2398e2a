-- batches_leave(jobs) ->
-- Takes those of these jobs that have ended out of their batch; only where there are batches
-- (batches).
DELETE FROM solid_queue_batch_executions
WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_batch_executions.job_id AND j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id));
