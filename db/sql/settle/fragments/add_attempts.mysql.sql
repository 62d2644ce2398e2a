-- Writes into the history that these runs ended as {it}.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, cpu_us, peak_memory, error_group)
SELECT c.job_id, x.attempt, c.id, p.name, p.hostname, x.began_at, x.ended_at, {it}, x.error,
	x.cpu_us, x.peak_memory, x.error_group
FROM {include:run_ends}
LEFT JOIN solid_queue_processes p FORCE INDEX (PRIMARY) ON p.id = c.process_id
