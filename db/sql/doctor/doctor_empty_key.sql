-- doctor_empty_key(after, limit) -> job_id
-- Finds the next `limit` jobs above `after` that are blocked by the empty key alone although it
-- is free.
-- read
-- rows
SELECT b.job_id FROM solid_queue_blocked_executions b
	{index:index_solid_queue_blocked_executions_for_release}
WHERE b.concurrency_key = '' AND b.job_id > :after
	AND COALESCE((SELECT s.value FROM solid_queue_semaphores s WHERE s.{name:key} = ''), 1) > 0
	AND (SELECT k.job_id FROM dray_keys k WHERE k.job_id = b.job_id LIMIT 1) IS NULL
ORDER BY b.job_id LIMIT :limit;
