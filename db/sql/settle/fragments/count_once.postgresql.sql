-- The losses after which a job is retried count as executions: so they are no runs beside these. In a
-- statement of its own, since the one before has changed the rows.
UPDATE dray_losses SET runs_before = runs_before - 1
WHERE job_id = ANY (ARRAY(
	SELECT h.job_id FROM json_to_recordset(:failures::json) AS x(id bigint, job_id bigint)
	JOIN dray_attempts h ON h.job_id = x.job_id AND h.claim_id = x.id AND h.outcome = 'retried'))
