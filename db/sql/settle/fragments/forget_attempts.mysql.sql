-- Makes room in the history of these runs' jobs, of which :keep attempts are kept.
DELETE a
FROM {include:run_ends}
STRAIGHT_JOIN dray_attempts a FORCE INDEX (index_dray_attempts_on_job_id_and_attempt)
	ON a.job_id = c.job_id AND a.attempt <= x.attempt - :keep
