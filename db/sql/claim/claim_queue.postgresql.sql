-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, job
-- Takes the next ready jobs of one queue that is not paused, down to a priority.
-- Nothing for a process that is paused or has no row, nor while a class is paused (claim_eligible
-- then does it).
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE r.queue_name = :queue AND r.priority <= :priority
			AND {include:queue_is_not_paused :queue}
			AND NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
			AND {include:process_may_claim}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
{include:claim_taken}
{include:claims_of_now};
