-- claim_beside(process_id, limit, newest, now) -> paused, claim_id, job
-- What claim does, while queues are paused by name and nothing else is: takes the next ready jobs of
-- the others. It walks past the paused ones, so paused_end has said before that they are few, and
-- nothing is taken when another queue was paused since. Always one row at least, for its first
-- column.
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
			AND COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) <= :newest
			AND NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern')
			AND {include:process_may_claim}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
	{include:claim_taken}
{include:paused_and_claims};
