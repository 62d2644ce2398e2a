-- Counts a loss for each unfinished job of the lost runs. One that is retried counts as an execution, too, so
-- that it is one run less beside these.
INSERT INTO dray_losses (job_id, losses, runs_before, last_lost_at)
SELECT j.id, 1, iif(f.value ->> 'outcome' = 'retried', -1, 0), :now
FROM {include:unfinished_runs}
WHERE true
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1,
	runs_before = runs_before + excluded.runs_before, last_lost_at = excluded.last_lost_at
