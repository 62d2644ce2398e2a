-- claim(process_id, limit, now) -> paused, claim_id, claimed_job
-- Takes the next ready jobs of all queues, by priority and age, while nothing is paused.
-- While anything is paused it takes nothing (claim_window then does it), nor for a process that is
-- paused or has no row: one that was presumed dead, or died with this on its way.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column.

-- @mysql
-- LIMIT is inside: MariaDB would read and lock all ready jobs before it obeyed one outside.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE NOT EXISTS (SELECT 1 FROM solid_queue_pauses)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
		AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
		AND {include:process_may_claim}
		AND {include:is_not_claimed}
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next;
-- rows
{include:paused_and_claims};
{include:leave_ready};

-- @postgresql
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

-- @sqlite
-- The conditions that hold for no job or for all stand in LIMIT, because a WHERE that is false would
-- be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE {include:is_not_claimed}
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN NOT EXISTS (SELECT 1 FROM solid_queue_pauses)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused', 'pattern'))
	AND {include:process_may_claim}
	THEN :limit ELSE 0 END;
-- rows
{include:paused_and_claims};
{include:leave_ready};
