-- doctor_executions(after, limit) -> job_id, known, finished
-- Looks at the next `limit` jobs above `after` that have an execution row, and returns those
-- that do not exist or are finished. The last of them is returned in any case: that is where to
-- go on. It is one look at all tables.
-- read
-- rows
WITH seen AS (
	SELECT DISTINCT job_id FROM (
		SELECT job_id FROM (SELECT job_id FROM solid_queue_ready_executions
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) r
		UNION ALL
		SELECT job_id FROM (SELECT job_id FROM solid_queue_scheduled_executions
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) s
		UNION ALL
		SELECT job_id FROM (SELECT job_id FROM solid_queue_claimed_executions
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) c
		UNION ALL
		SELECT job_id FROM (SELECT job_id FROM solid_queue_blocked_executions
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) b
		UNION ALL
		SELECT job_id FROM (SELECT job_id FROM solid_queue_failed_executions
			WHERE job_id > :after ORDER BY job_id LIMIT :limit) f
	) places ORDER BY job_id LIMIT :limit
)
SELECT seen.job_id, CASE WHEN j.id IS NULL THEN 0 ELSE 1 END,
	CASE WHEN j.finished_at IS NULL THEN 0 ELSE 1 END
FROM seen LEFT JOIN solid_queue_jobs j ON j.id = seen.job_id
WHERE j.id IS NULL OR j.finished_at IS NOT NULL
	OR seen.job_id = (SELECT MAX(job_id) FROM seen)
ORDER BY seen.job_id;
