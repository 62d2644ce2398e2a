-- mend_twice(jobs) ->
-- Jobs that are in several tables stay in one: claimed before failed before ready before blocked
-- before scheduled, which is how far a job has come.
DELETE FROM solid_queue_failed_executions WHERE job_id {in:jobs} AND (
	EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_failed_executions.job_id));
DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs} AND (
	EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_ready_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = solid_queue_ready_executions.job_id));
DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs} AND (
	EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_blocked_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = solid_queue_blocked_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = solid_queue_blocked_executions.job_id));
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND (
	EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_scheduled_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = solid_queue_scheduled_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = solid_queue_scheduled_executions.job_id)
	OR EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = solid_queue_scheduled_executions.job_id));
