-- Makes room in the history of these runs' jobs, of which :keep attempts are kept.
DELETE FROM dray_attempts WHERE id IN (
	SELECT a.id FROM {include:run_ends}
	CROSS JOIN dray_attempts a ON a.job_id = c.job_id
		AND a.attempt <= (f.value ->> 'attempt') - :keep)
