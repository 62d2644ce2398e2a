-- scheduled_odd(after, limit) -> job_id, odd, never, time
-- Of the next `limit` scheduled jobs above `after` those whose time does not mean what comparing it
-- comes to, with the time as it stands, and whether it says "never"; perhaps also the last, not odd,
-- which is where to go on.
-- read
-- rows
SELECT job_id, 1, 1, scheduled_at::text FROM solid_queue_scheduled_executions
WHERE scheduled_at = 'infinity' AND job_id > :after ORDER BY job_id LIMIT :limit;
