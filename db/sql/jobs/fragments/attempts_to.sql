-- How many attempts there are, counted to {it}.
(SELECT count(*) FROM (SELECT c.job_id
	FROM dray_attempts c {index:index_dray_attempts_on_job_id_and_id} LIMIT {it}) counted)
