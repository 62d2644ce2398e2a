-- claim_eligible(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, limit, now) -> claim_id, claimed_job
-- Takes the next eligible jobs of one queue that is not paused, from a place in its order (first_eligible
-- says which) down to a priority.
-- Eligible are jobs of the classes (a JSON array; null = all), of none of the others (another; null =
-- none) and of no paused class. Unless max_losses is null, jobs that have been lost so often, or as
-- often as their class declares, are not. Nothing for a process that is paused or has no row.

-- @mysql
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND r.priority <= :priority AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND {include:queue_is_not_paused :queue}
		AND {include:process_may_claim}
		AND {include:is_eligible}
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
			AND (r.priority, r.job_id) >= (:from_priority, :from_job)
			AND {include:queue_is_not_paused :queue}
			AND {include:process_may_claim}
			AND {include:is_eligible}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
{include:claim_taken}
{include:claims_of_now};

-- @sqlite
-- The conditions that hold for no job or for all stand in LIMIT, because a WHERE that is false would
-- be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE r.queue_name = :queue AND r.priority <= :priority
	AND (r.priority, r.job_id) >= (:from_priority, :from_job)
	AND {include:is_not_claimed}
	AND {include:is_eligible}
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN {include:queue_is_not_paused :queue}
	AND {include:process_may_claim}
	THEN :limit ELSE 0 END;
-- rows
{include:claims_of_now};
{include:leave_ready};
