-- doctor_jobs(after, limit) -> job_id, tables
-- Looks at the next `limit` unfinished jobs above `after`, and returns those that are not in
-- exactly one table, with the number of tables. The last of them is returned in any case: that
-- is where to go on. It is one look at all tables.
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
