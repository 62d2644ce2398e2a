-- The losses in @dray_lost after which a job is retried count as executions: so they are no runs beside these.
UPDATE {include:lost_runs 'retried'}
STRAIGHT_JOIN dray_losses known FORCE INDEX (PRIMARY) ON known.job_id = c.job_id
SET known.runs_before = known.runs_before - 1
