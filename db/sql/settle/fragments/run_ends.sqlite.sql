-- The ends f of runs that :failures tells, each with its claim c, as long as that is there.
json_each(:failures) f
CROSS JOIN solid_queue_claimed_executions c ON c.id = (f.value ->> 'id')
	AND c.job_id = (f.value ->> 'job_id') AND COALESCE(c.process_id, 0) = (f.value ->> 'process_id')
	AND c.created_at = (f.value ->> 'created_at')
