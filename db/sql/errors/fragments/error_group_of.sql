-- The error group of the last attempt of the job {it}; null = none.
(SELECT h.error_group FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = {it} ORDER BY h.id DESC LIMIT 1)
