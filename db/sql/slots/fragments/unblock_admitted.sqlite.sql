-- Deletes the blocked rows of the jobs that got a slot at this time.
DELETE FROM solid_queue_blocked_executions WHERE job_id IN (
	SELECT s.job_id FROM dray_slots s
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now)
