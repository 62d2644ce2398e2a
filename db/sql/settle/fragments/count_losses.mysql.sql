-- Counts a loss for each unfinished job of the claims {it}.
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM {include:claimed_jobs {it}}
ON DUPLICATE KEY UPDATE losses = dray_losses.losses + 1, last_lost_at = VALUES(last_lost_at)
