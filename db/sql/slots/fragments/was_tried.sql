-- The job {it} has run before, however that ended: what its class says of conflicts is about new jobs.
((SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = {it} LIMIT 1) IS NOT NULL
	OR (SELECT lost.job_id FROM dray_losses lost {index:PRIMARY} WHERE lost.job_id = {it}) IS NOT NULL)
