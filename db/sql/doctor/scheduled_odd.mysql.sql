-- scheduled_odd(after, limit) -> job_id, odd, never, time
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
