-- The ready job r is not claimed as well, as it would be where rows do not fit together.
NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
