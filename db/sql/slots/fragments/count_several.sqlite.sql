-- Counts how many jobs were admitted, and how many that need several keys stand under a key that
-- has a free slot.
SELECT changes(), count(*)
FROM solid_queue_semaphores s
CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = s.key
WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
	AND EXISTS (SELECT 1 FROM dray_keys k WHERE k.job_id = b.job_id)
