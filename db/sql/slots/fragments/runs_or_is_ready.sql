-- The job {it} runs or is ready.
(EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = {it})
	OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = {it}))
