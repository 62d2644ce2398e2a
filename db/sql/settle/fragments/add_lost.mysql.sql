-- Writes the lost runs into the history; {it}: the name and the host of their process.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, error_group)
SELECT c.job_id, x.attempt, c.id, {it}, x.began_at, x.ended_at, x.outcome, x.error,
	x.error_group
FROM {include:unfinished_runs}
