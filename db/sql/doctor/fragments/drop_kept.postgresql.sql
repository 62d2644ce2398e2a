-- Deletes the {it} executions of the jobs that keep has locked elsewhere.
DELETE FROM solid_queue_{it}_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))
