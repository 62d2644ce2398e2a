-- The job {it} holds no slot of ours.
(SELECT s.job_id FROM dray_slots s {index:index_dray_slots_on_job_id}
	WHERE s.job_id = {it} LIMIT 1) IS NULL
