-- The job of the row e is also in the table of {it} executions.
EXISTS (SELECT 1 FROM solid_queue_{it}_executions WHERE job_id = e.job_id)
