-- claim_window(process_id, limit, from_priority, from_job, to_priority, to_job, newest, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues that are in no way paused, out of a window of the order by
-- priority and age.
-- The window begins at one place and ends before another, because any number of paused jobs may
-- stand in the order: window_end_paused and window_end say where. newest is for a window without an
-- end, while only a few jobs of paused queues stand in front: the newest pause that was counted.
-- Nothing is taken when more is paused than that; null = the end is enough. paused as claim says
-- it, always in one row at least.
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE (r.priority, r.job_id) >= (:from_priority, :from_job)
			AND (r.priority, r.job_id) < (:to_priority, :to_job)
			AND r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
			AND CASE WHEN EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern')
				THEN {include:no_pattern_pauses r.queue_name}
				ELSE true END
			AND CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
				THEN (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
					NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')
				ELSE true END
			AND {include:is_not_set_aside r.job_id}
			AND {include:nothing_new_is_paused}
			AND {include:process_may_claim}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
{include:claim_taken}
{include:paused_and_claims};
