-- Writes into the history that these runs ended as {it}.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, cpu_us, peak_memory, error_group)
SELECT c.job_id, f.value ->> 'attempt', c.id, p.name, p.hostname, f.value ->> 'began_at',
	f.value ->> 'ended_at', {it}, f.value ->> 'error',
	f.value ->> 'cpu_us', f.value ->> 'peak_memory', f.value ->> 'error_group'
FROM {include:run_ends}
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
