-- scheduled_odd(after, limit) -> job_id, odd, never, time
-- Looks at the next `limit` scheduled jobs above `after`, and returns those whose time does not
-- mean what comparing it comes to, with the time as it stands, and whether it says "never". The
-- last of them may be returned too, not odd: that is where to go on.
-- read
-- rows
WITH seen AS (
	SELECT job_id, scheduled_at FROM solid_queue_scheduled_executions
	WHERE job_id > :after ORDER BY job_id LIMIT :limit
), judged AS (
	SELECT job_id, scheduled_at, NOT (datetime(substr(scheduled_at, 1, 19)) IS substr(scheduled_at, 1, 19)
		AND substr(scheduled_at, 20) NOT GLOB '*[^0-9.]*') AS odd
	FROM seen
)
SELECT job_id, odd, 0, CAST(scheduled_at AS TEXT) FROM judged
WHERE odd OR job_id = (SELECT MAX(job_id) FROM seen) ORDER BY job_id;
