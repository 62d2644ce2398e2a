-- claim_beside(process_id, limit, newest, now) -> paused, claim_id, job
-- What claim does, while queues are paused by name and nothing else is: takes the next ready jobs of
-- the others. It walks past the paused ones, so paused_end has said before that they are few, and
-- nothing is taken when another queue was paused since. Always one row at least, for its first
-- column.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE (SELECT p.id FROM solid_queue_pauses p WHERE p.queue_name = r.queue_name) IS NULL
		AND (SELECT COALESCE(MAX(n.id), 0) FROM solid_queue_pauses n) <= :newest
		AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
		AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
		AND {include:process_may_claim}
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id) IS NULL
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next;
{include:leave_ready};
-- rows
{include:paused_and_claims};
