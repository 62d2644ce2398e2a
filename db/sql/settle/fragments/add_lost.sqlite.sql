-- Writes the lost runs into the history; {it}: the name and the host of their process.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, error_group)
SELECT c.job_id, f.value ->> 'attempt', c.id, {it}, f.value ->> 'began_at', f.value ->> 'ended_at',
	f.value ->> 'outcome', f.value ->> 'error', f.value ->> 'error_group'
FROM {include:unfinished_runs}
