-- claim_window(process_id, limit, from_priority, from_job, to_priority, to_job, newest, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues that are in no way paused, out of a window of the order by
-- priority and age.
-- The window begins at one place and ends before another, because any number of paused jobs may
-- stand in the order: window_end_paused and window_end say where. newest is for a window without an
-- end, while only a few jobs of paused queues stand in front: the newest pause that was counted.
-- Nothing is taken when more is paused than that; null = the end is enough. paused as claim says
-- it, always in one row at least.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE (r.priority, r.job_id) >= (:from_priority, :from_job)
	AND (r.priority, r.job_id) < (:to_priority, :to_job)
	AND r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
	AND (NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
		OR {include:no_pattern_pauses r.queue_name})
	AND {include:class_is_not_paused}
	AND {include:is_not_set_aside r.job_id}
	AND {include:is_not_claimed}
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN {include:nothing_new_is_paused}
	AND {include:process_may_claim}
	THEN :limit ELSE 0 END;
-- rows
{include:paused_and_claims};
{include:leave_ready};
