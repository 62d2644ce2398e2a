-- Deletes the {it} executions of these jobs.
DELETE FROM solid_queue_{it}_executions WHERE job_id {in:jobs}
