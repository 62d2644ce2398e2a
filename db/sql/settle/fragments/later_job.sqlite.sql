-- Sets in the jobs of the runs {it} when they are `due`, and the payload that comes with them, if any.
UPDATE solid_queue_jobs
SET arguments = COALESCE(e.payload, arguments), scheduled_at = e.due, updated_at = :now
FROM (SELECT c.job_id, f.value ->> 'payload' AS payload, f.value ->> 'due' AS due
	FROM {it}) e
WHERE solid_queue_jobs.id = e.job_id AND +finished_at IS NULL
