-- Joins the claim c of the job {it}, if it runs, and its ready row r, if it is ready.
LEFT JOIN solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = {it}
LEFT JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = {it}
