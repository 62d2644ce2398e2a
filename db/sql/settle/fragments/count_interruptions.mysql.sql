-- Counts an interruption for each unfinished job of the claims that :claims names.
INSERT INTO dray_losses (job_id, losses, last_lost_at, interruptions)
SELECT j.id, 0, :now, 1
FROM {include:claimed_jobs {include:named_claims}}
ON DUPLICATE KEY UPDATE interruptions = dray_losses.interruptions + 1
