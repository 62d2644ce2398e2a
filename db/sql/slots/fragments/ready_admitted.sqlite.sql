-- Makes the jobs that got a slot at this time ready.
{include:insert_ready}
FROM dray_slots s
CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
{include:unless_there}
