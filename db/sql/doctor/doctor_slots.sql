-- doctor_slots(after, limit) -> job_id, held
-- Looks at the next `limit` slots of jobs above `after`, and returns the jobs, each with whether
-- it is ready or runs.
-- read
-- rows
WITH seen AS (
	SELECT DISTINCT job_id FROM (SELECT job_id FROM dray_slots
		WHERE job_id > :after ORDER BY job_id LIMIT :limit) s
)
SELECT seen.job_id, CASE WHEN COALESCE(
		(SELECT r.job_id FROM solid_queue_ready_executions r WHERE r.job_id = seen.job_id),
		(SELECT c.job_id FROM solid_queue_claimed_executions c
			WHERE c.job_id = seen.job_id)) IS NULL THEN 0 ELSE 1 END
FROM seen ORDER BY seen.job_id;
