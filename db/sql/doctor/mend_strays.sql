-- mend_strays(jobs) ->
-- Deletes the execution rows of jobs that do not exist or are finished. Neither is ever undone, so
-- what was seen still holds; a worker that runs such a job finds its claim lost.
DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_ready_executions.job_id AND j.finished_at IS NULL);
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_scheduled_executions.job_id AND j.finished_at IS NULL);
DELETE FROM solid_queue_claimed_executions WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_claimed_executions.job_id AND j.finished_at IS NULL);
DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_blocked_executions.job_id AND j.finished_at IS NULL);
DELETE FROM solid_queue_failed_executions WHERE job_id {in:jobs} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_failed_executions.job_id AND j.finished_at IS NULL);
