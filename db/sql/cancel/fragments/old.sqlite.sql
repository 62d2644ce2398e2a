-- The jobs that wait and make room for those in `latest`, each with one of these.
old AS MATERIALIZED (
	SELECT x.job_id, max(x.by_job) AS by_job FROM (
		SELECT s.job_id, latest.job_id AS by_job
		FROM {include:slots_like latest} AND s.job_id <> latest.job_id
		JOIN solid_queue_ready_executions r ON r.job_id = s.job_id
		UNION ALL
		SELECT w.job_id, latest.job_id
		FROM waiting w JOIN latest ON latest.concurrency_key = w.concurrency_key
			AND latest.class_name = w.class_name AND latest.job_id <> w.job_id) x
	WHERE NOT {include:is_retried x.job_id}
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = x.job_id)
	GROUP BY x.job_id
)
