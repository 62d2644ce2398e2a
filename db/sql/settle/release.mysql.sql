-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Gives these claims' jobs back to ready. A claim of a finished job just goes;
-- one that is gone, or whose number stands for another claim now, is not returned.
-- guard
-- rows
{include:lock_claims};
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
{include:drop_claims};
