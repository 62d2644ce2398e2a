-- Writes into the history that the runs in `ends` ended as {it}; :keep attempts of a job are kept.
forgotten AS (
	DELETE FROM dray_attempts WHERE id = ANY (ARRAY(
		SELECT h.id FROM ends CROSS JOIN LATERAL (
			SELECT id FROM dray_attempts WHERE job_id = ends.job_id
			ORDER BY id DESC OFFSET GREATEST(:keep - 1, 0)) h))
), attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error, error_group)
	SELECT ends.job_id, ends.attempt, ends.claim_id, p.name, p.hostname, ends.began_at,
		ends.ended_at, {it}, ends.error, ends.error_group
	FROM ends LEFT JOIN solid_queue_processes p ON p.id = ends.process_id
)
