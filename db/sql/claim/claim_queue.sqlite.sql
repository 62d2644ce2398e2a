-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, job
-- Takes the next ready jobs of one queue that is not paused, down to a priority; nothing for a
-- process that is paused or has no row, nor while a class is paused (claim_known then does it).
-- Pauses stand in LIMIT because a WHERE that is false would be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE queue_name = :queue AND priority <= :priority
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = :queue)
	OR {include:a_pattern_pauses :queue}
	OR EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
	OR {include:process_may_not_claim}
	THEN 0 ELSE :limit END;
{include:leave_ready};
-- rows
{include:claims_of_now};
