-- Counts a loss for each unfinished job of the lost runs. One that is retried counts as an execution, too, so
-- that it is one run less beside these.
INSERT INTO dray_losses (job_id, losses, runs_before, last_lost_at)
SELECT j.id, 1, IF(x.outcome = 'retried', -1, 0), :now
FROM {include:unfinished_runs}
ON DUPLICATE KEY UPDATE losses = dray_losses.losses + 1,
	runs_before = dray_losses.runs_before + VALUES(runs_before), last_lost_at = VALUES(last_lost_at)
