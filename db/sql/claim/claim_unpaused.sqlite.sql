-- claim_unpaused(process_id, limit, from_priority, from_job, to_priority, to_job, now) -> paused, claim_id, job
-- Takes the next ready jobs that are in no way paused, of a part of the order by priority and age.
-- The part is bounded, because any number of paused jobs may stand there; paused_end or walk_end says
-- where. Always one row at least, for its first column.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE (r.priority, r.job_id) >= (:from_priority, :from_job)
	AND (r.priority, r.job_id) < (:to_priority, :to_job)
	AND r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
	AND NOT {include:a_pattern_pauses r.queue_name}
	AND {include:class_is_not_paused}
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN {include:process_may_not_claim}
	THEN 0 ELSE :limit END;
{include:leave_ready};
-- rows
{include:paused_and_claims};
