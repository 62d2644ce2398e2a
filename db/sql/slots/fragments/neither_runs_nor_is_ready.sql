-- The job {it} neither runs nor is ready.
NOT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = {it})
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = {it})
