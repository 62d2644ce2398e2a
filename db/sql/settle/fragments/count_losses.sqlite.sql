-- Counts a loss for each unfinished job of the claims c for which {it}.
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM {include:claimed_jobs}
WHERE {it}
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1, last_lost_at = excluded.last_lost_at
