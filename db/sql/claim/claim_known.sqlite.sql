-- claim_known(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, bounds, limit, now) -> claim_id, job
-- What claim_queue does for a worker of some classes (a JSON array; null = of all) or not of others
-- (another; null = none), or while a class is paused: takes the next ready jobs of them that are not
-- paused, from a place in the queue's order (first_known tells it) down to a priority. Unless max_losses
-- is null, jobs are passed that have been lost so often (bounds: [{"class_name", "max_losses"}] for classes that differ).
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE queue_name = :queue AND priority <= :priority
	AND (priority, job_id) >= (:from_priority, :from_job)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
	AND {include:class_is_taken}
	AND {include:class_is_not_paused}
	AND {include:not_lost_too_often}
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = :queue)
	OR {include:a_pattern_pauses :queue}
	OR {include:process_may_not_claim}
	THEN 0 ELSE :limit END;
{include:leave_ready};
-- rows
{include:claims_of_now};
