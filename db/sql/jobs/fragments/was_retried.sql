-- The job {it} has an attempt after which it was retried.
(SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = {it} AND h.outcome = 'retried' LIMIT 1) IS NOT NULL
