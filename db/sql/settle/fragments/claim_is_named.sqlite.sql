-- The claim is one that :claims names by all that cannot come back: number, job, process and time.
id IN (SELECT value ->> 'id' FROM json_each(:claims))
	AND (id, job_id, COALESCE(process_id, 0), created_at) IN (
		SELECT value ->> 'id', value ->> 'job_id', value ->> 'process_id',
			value ->> 'created_at'
		FROM json_each(:claims))
