-- doctor_strays(after, limit) -> job_id, stray
-- Looks at the next `limit` jobs above `after` that are ready or run, and returns those that
-- hold no slot of ours although their class is declared to be limited. The last of them is
-- returned in any case: that is where to go on. Where no class is limited there is no row.
-- read
-- rows
WITH seen AS (
	SELECT DISTINCT job_id FROM (
		SELECT job_id FROM (SELECT job_id FROM solid_queue_ready_executions
				{index:index_solid_queue_ready_executions_on_job_id}
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) r
		UNION ALL
		SELECT job_id FROM (SELECT job_id FROM solid_queue_claimed_executions
				{index:index_solid_queue_claimed_executions_on_job_id}
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) c
	) places
	WHERE (SELECT l.slots FROM dray_classes l WHERE l.slots IS NOT NULL LIMIT 1) IS NOT NULL
	ORDER BY job_id LIMIT :limit
), told AS (
	SELECT seen.job_id, CASE WHEN (SELECT l.slots FROM solid_queue_jobs j {index:PRIMARY}
			{join} dray_classes l {index:PRIMARY}
				ON l.class_name = j.class_name AND l.position = 0
			WHERE j.id = seen.job_id AND j.concurrency_key IS NOT NULL) IS NOT NULL
		AND {include:holds_no_slot seen.job_id}
		THEN 1 ELSE 0 END AS stray
	FROM seen
)
SELECT job_id, stray FROM told
WHERE stray = 1 OR job_id = (SELECT MAX(job_id) FROM seen) ORDER BY job_id;
