-- The failed ones f of :jobs ([{"job_id"}]), each with its job j.
JSON_TABLE(:jobs, '$[*]' COLUMNS (job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = x.job_id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = f.job_id
