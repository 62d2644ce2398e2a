-- scheduled_odd(after, limit) -> job_id, odd, never, time
-- Looks at the next `limit` scheduled jobs above `after`, and returns those whose time does not
-- mean what comparing it comes to, with the time as it stands, and whether it says "never". The
-- last of them may be returned too, not odd: that is where to go on.
-- read
-- rows
SELECT job_id, 1, 1, scheduled_at::text FROM solid_queue_scheduled_executions
WHERE scheduled_at = 'infinity' AND job_id > :after ORDER BY job_id LIMIT :limit;
