-- The claim c is one that :claims names by all that cannot come back: number, job, process and
-- time.
c.id IN (SELECT value ->> 'id' FROM json_each(:claims))
	AND (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at) IN (
		SELECT value ->> 'id', value ->> 'job_id', value ->> 'process_id',
			value ->> 'created_at'
		FROM json_each(:claims))
