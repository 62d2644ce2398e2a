-- Counts an interruption for each unfinished job of the claims that :claims names.
INSERT INTO dray_losses (job_id, losses, last_lost_at, interruptions)
SELECT j.id, 0, :now, 1
FROM {include:claimed_jobs}
WHERE {include:claim_is_named}
ON CONFLICT (job_id) DO UPDATE SET interruptions = interruptions + 1
