-- doctor_jobs(after, limit) -> job_id, tables
-- Of the next `limit` unfinished jobs above `after` those that are not in exactly one table, with
-- in how many they are, and in any case the last, which is where to go on. One look at all tables.
-- read
-- rows
WITH seen AS (
	SELECT id FROM solid_queue_jobs {index:index_solid_queue_jobs_on_finished_at}
	WHERE finished_at IS NULL AND id > :after ORDER BY id LIMIT :limit
), places AS (
	SELECT seen.id,
		(SELECT COUNT(*) FROM solid_queue_ready_executions r WHERE r.job_id = seen.id)
		+ (SELECT COUNT(*) FROM solid_queue_scheduled_executions s WHERE s.job_id = seen.id)
		+ (SELECT COUNT(*) FROM solid_queue_claimed_executions c WHERE c.job_id = seen.id)
		+ (SELECT COUNT(*) FROM solid_queue_blocked_executions b WHERE b.job_id = seen.id)
		+ (SELECT COUNT(*) FROM solid_queue_failed_executions f WHERE f.job_id = seen.id) AS tables
	FROM seen
)
SELECT id, tables FROM places
WHERE tables <> 1 OR id = (SELECT MAX(id) FROM seen) ORDER BY id;
