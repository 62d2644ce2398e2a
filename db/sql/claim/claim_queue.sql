-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, claimed_job
-- Takes the next ready jobs of one queue that is not paused, down to a priority.
-- Nothing for a process that is paused or has no row, nor while a class is paused (claim_eligible
-- then does it).

-- @mysql
-- LIMIT is inside: MariaDB would read and lock all ready jobs of the queue before it obeyed one
-- outside.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND r.priority <= :priority
		AND {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
		AND {include:process_may_claim}
		AND {include:is_not_claimed}
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next;
-- rows
{include:claims_of_now};
{include:leave_ready};

-- @postgresql
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

-- @sqlite
-- The conditions that hold for no job or for all stand in LIMIT, because a WHERE that is false would
-- be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE r.queue_name = :queue AND r.priority <= :priority
	AND {include:is_not_claimed}
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN {include:queue_is_not_paused :queue}
	AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
	AND {include:process_may_claim}
	THEN :limit ELSE 0 END;
-- rows
{include:claims_of_now};
{include:leave_ready};
