-- The error group of the failure e, as the last run of its job tells; null = it has none, or others have failed
-- the job since.
(SELECT CASE WHEN h.outcome = 'failed' AND h.error = e.error THEN h.error_group END
	FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = e.job_id ORDER BY h.id DESC LIMIT 1)
