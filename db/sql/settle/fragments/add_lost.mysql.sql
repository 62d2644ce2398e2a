-- Writes the lost runs in @dray_lost into the history; {it}: the name and the host of their process.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error)
SELECT c.job_id, x.attempt, c.id, {it}, x.began_at, x.ended_at, l.outcome, x.error
FROM {include:lost_runs l.outcome}
