-- claim_window(process_id, limit, from_priority, from_job, to_priority, to_job, newest, now) -> paused, claim_id, claimed_job
-- Takes the next ready jobs of all queues that are in no way paused, out of a window of the order by
-- priority and age.
-- The window begins at one place and ends before another, because any number of paused jobs may
-- stand in the order: window_end_paused and window_end say where. newest is for a window without an
-- end, while only a few jobs of paused queues stand in front: the newest pause that was counted.
-- Nothing is taken when more is paused than that; null = the end is enough. paused as claim says
-- it, always in one row at least.

-- @mysql
-- What stands behind the end fills the LIMIT and is left: an upper bound of the index would make
-- ranges of it, and each of them is a walk through what was deleted and is not purged yet.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id, r.priority
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE (:from_priority = -2147483648 OR r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND ((r.priority, r.job_id) >= (:to_priority, :to_job)
			OR ((SELECT p.id FROM solid_queue_pauses p WHERE p.queue_name = r.queue_name) IS NULL
			AND (NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
				OR {include:no_pattern_pauses r.queue_name})
			AND {include:class_is_not_paused}
			AND {include:is_not_set_aside r.job_id}))
		AND {include:nothing_new_is_paused}
		AND {include:process_may_claim}
		AND {include:is_not_claimed}
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next
WHERE (next.priority, next.job_id) < (:to_priority, :to_job);
-- rows
{include:paused_and_claims};
{include:leave_ready};

-- @postgresql
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

-- @sqlite
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
