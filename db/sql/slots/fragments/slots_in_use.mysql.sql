-- The count of the slots of the key {it} that jobs hold which are ready or run.
COUNT(*) FROM dray_slots h FORCE INDEX (PRIMARY)
LEFT JOIN solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = h.job_id
LEFT JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = h.job_id
WHERE h.concurrency_key = {it} AND (c.id IS NOT NULL OR r.id IS NOT NULL)
