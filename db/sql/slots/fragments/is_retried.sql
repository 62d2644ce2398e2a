-- The job {it} has failed before: what its class says of conflicts is about new jobs.
(SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_attempt}
	WHERE h.job_id = {it} LIMIT 1) IS NOT NULL
