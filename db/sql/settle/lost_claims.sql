-- lost_claims() -> process_id, job_id, class_name, losses, max_losses
-- Lists all running jobs, as many as workers have threads, how often each was lost before (null =
-- never), and how many losses it survives as its class declares.
-- read
-- rows
SELECT c.process_id, c.job_id, (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = c.job_id),
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = c.job_id),
	(SELECT {include:own_bound hurt.class_name} FROM solid_queue_jobs hurt WHERE hurt.id = c.job_id)
FROM solid_queue_claimed_executions c
ORDER BY c.id;
