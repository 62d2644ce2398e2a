-- batches_leave(jobs) ->
-- Takes those of these jobs that have ended out of their batch; only where there are batches
-- (batches).

-- @mysql
DELETE b
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_batch_executions b
	FORCE INDEX (index_solid_queue_batch_executions_on_job_id) ON b.job_id = x.id
LEFT JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
LEFT JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = b.job_id
WHERE j.id IS NULL OR j.finished_at IS NOT NULL OR f.id IS NOT NULL;

-- @postgresql @sqlite
DELETE FROM solid_queue_batch_executions
WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_batch_executions.job_id AND j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id));
