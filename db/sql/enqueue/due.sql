-- due(now) -> any
-- Tells whether any scheduled job is due. An idle dispatcher asks this: it reads one index entry
-- and locks nothing.
-- read
-- rows
SELECT COALESCE(min(scheduled_at) <= :now, false) FROM solid_queue_scheduled_executions;
