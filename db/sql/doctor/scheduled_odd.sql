-- scheduled_odd(after, limit) -> job_id, odd, never, time

-- @mysql
-- Looks at the next `limit` scheduled jobs above `after`, and returns those whose time does not
-- mean what comparing it comes to, with the time as it stands, and whether it says "never". The
-- last of them may be returned too, not odd: that is where to go on. Here these are dates of
-- zeros, which are due at once.
-- read
-- rows
SELECT s.job_id, 1, 0, CAST(s.scheduled_at AS CHAR)
FROM solid_queue_scheduled_executions s FORCE INDEX (index_solid_queue_dispatch_all)
WHERE {include:time_is_odd s.scheduled_at} AND s.job_id > :after
ORDER BY s.job_id LIMIT :limit;

-- @postgresql
-- Looks at the next `limit` scheduled jobs above `after`, and returns those whose time does not
-- mean what comparing it comes to, with the time as it stands, and whether it says "never". The
-- last of them may be returned too, not odd: that is where to go on.
-- read
-- rows
SELECT job_id, 1, 1, scheduled_at::text FROM solid_queue_scheduled_executions
WHERE scheduled_at = 'infinity' AND job_id > :after ORDER BY job_id LIMIT :limit;

-- @sqlite
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
