-- Counts a loss for each unfinished job of the lost runs.
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM {include:unfinished_runs}
WHERE true
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1, last_lost_at = excluded.last_lost_at
