-- The count of the slots of the key {it} that jobs hold which are ready or run.
count(*) FROM dray_slots h WHERE h.concurrency_key = {it}
	AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r
			WHERE r.job_id = h.job_id)
		OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = h.job_id))
