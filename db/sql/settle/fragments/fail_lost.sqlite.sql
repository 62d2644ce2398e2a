-- Of the jobs of the claims c for which {it}, fails those with :error that were lost too often.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, :error, :now
FROM {include:claimed_jobs}
JOIN dray_losses l ON l.job_id = j.id
WHERE {it} AND l.losses > {include:losses_survived}
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
