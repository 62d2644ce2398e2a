-- Writes into the history that the runs in `ends` ended as {it}; :keep attempts of a job are kept.
{include:forget_attempts ends}, attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error, cpu_us, peak_memory, error_group)
	SELECT ends.job_id, ends.attempt, ends.claim_id, p.name, p.hostname, ends.began_at,
		ends.ended_at, {it}, ends.error, ends.cpu_us, ends.peak_memory, ends.error_group
	FROM ends LEFT JOIN solid_queue_processes p ON p.id = ends.process_id
)
