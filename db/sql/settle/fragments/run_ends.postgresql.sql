-- What :failures tells of the ends of runs, of those whose claims are in `done`; it is in `ends` then.
ends AS MATERIALIZED (
	SELECT done.id AS claim_id, done.job_id, done.process_id, x.attempt, x.began_at, x.ended_at,
		x.due, x.outcome, x.payload, x.error, x.cpu_us, x.peak_memory, x.error_group
	FROM done JOIN json_to_recordset(:failures::json) AS x(
			id bigint, job_id bigint, process_id bigint, created_at timestamp,
			attempt integer, began_at timestamp, ended_at timestamp, due timestamp,
			outcome text, payload text, error text, cpu_us bigint, peak_memory bigint,
			error_group text)
		ON x.id = done.id AND x.job_id = done.job_id AND x.created_at = done.created_at
			AND x.process_id = COALESCE(done.process_id, 0)
)
