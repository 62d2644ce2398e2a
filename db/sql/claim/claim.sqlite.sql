-- claim(process_id, limit, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues, by priority and age; nothing while anything is paused
-- (claim_beside and claim_unpaused then do it), nor for a process that is paused or has no row: one that
-- was presumed dead.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column. A pause
-- stands in LIMIT because a WHERE that is false would be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses)
	OR EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'pattern'))
	OR {include:process_may_not_claim}
	THEN 0 ELSE :limit END;
{include:leave_ready};
-- rows
{include:paused_and_claims};
