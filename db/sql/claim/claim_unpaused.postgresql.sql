-- claim_unpaused(process_id, limit, from_priority, from_job, to_priority, to_job, now) -> paused, claim_id, job
-- Takes the next ready jobs that are in no way paused, of a part of the order by priority and age.
-- The part is bounded, because any number of paused jobs may stand there; paused_end or walk_end says
-- where. Always one row at least, for its first column.
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE (r.priority, r.job_id) >= (:from_priority, :from_job)
			AND (r.priority, r.job_id) < (:to_priority, :to_job)
			AND r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
			AND CASE WHEN EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern')
				THEN NOT {include:a_pattern_pauses r.queue_name}
				ELSE true END
			AND CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
				THEN (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
					NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')
				ELSE true END
			AND {include:process_may_claim}
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
	{include:claim_taken}
{include:paused_and_claims};
