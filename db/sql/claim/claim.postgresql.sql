-- claim(process_id, limit, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues, by priority and age, while nothing is paused.
-- While anything is paused it takes nothing (claim_window then does it), nor for a process that is
-- paused or has no row: one that was presumed dead, or died with this on its way.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column.
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT id FROM solid_queue_ready_executions
		WHERE NOT EXISTS (SELECT FROM solid_queue_pauses)
			AND NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern')
			AND {include:process_may_claim}
		ORDER BY priority, job_id LIMIT :limit {skip_locked}))
{include:claim_taken}
{include:paused_and_claims};
