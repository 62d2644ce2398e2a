-- claim_known(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, bounds, limit, now) -> claim_id, job
-- What claim_queue does for a worker of some classes (a JSON array; null = of all) or not of others
-- (another; null = none), or while a class is paused: takes the next ready jobs of them that are not
-- paused, from a place in the queue's order (first_known tells it) down to a priority. Unless max_losses
-- is null, jobs are passed that have been lost so often (bounds: [{"class_name", "max_losses"}] for classes that differ).
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE r.queue_name = :queue AND r.priority <= :priority
			AND (r.priority, r.job_id) >= (:from_priority, :from_job)
			AND NOT EXISTS (SELECT FROM solid_queue_pauses WHERE queue_name = :queue)
			AND NOT {include:a_pattern_pauses :queue}
			AND {include:process_may_claim}
			AND {include:class_is_taken}
			AND {include:class_is_not_paused}
			AND {include:not_lost_too_often}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
	{include:claim_taken}
{include:claims_of_now};
