-- The losses after which a job is retried count as executions: so they are no runs beside these.
UPDATE dray_losses SET runs_before = runs_before - 1 WHERE job_id IN (
	SELECT c.job_id FROM {include:lost_runs 'retried'})
