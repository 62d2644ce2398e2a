-- claim_beside(process_id, limit, newest, now) -> paused, claim_id, job
-- What claim does, while queues are paused by name and nothing else is: takes the next ready jobs of
-- the others. It walks past the paused ones, so paused_end has said before that they are few, and
-- nothing is taken when another queue was paused since. Always one row at least, for its first
-- column.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'pattern'))
	OR {include:process_may_not_claim}
	OR COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) > :newest
	THEN 0 ELSE :limit END;
{include:leave_ready};
-- rows
{include:paused_and_claims};
