-- The rows e of the table of {it} executions of the jobs x.
solid_queue_{it}_executions e
	FORCE INDEX (index_solid_queue_{it}_executions_on_job_id) ON e.job_id = x.id
