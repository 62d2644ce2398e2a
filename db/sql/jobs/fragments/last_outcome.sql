-- How the last run of the job {it} that the history knows has ended.
(SELECT h.outcome FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = {it} ORDER BY h.id DESC LIMIT 1)
