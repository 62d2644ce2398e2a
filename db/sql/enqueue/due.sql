-- due(now) -> any
-- Is any scheduled job due? What an idle dispatcher asks: it reads one index entry, locks nothing.
-- read
-- rows
SELECT COALESCE(min(scheduled_at) <= :now, false) FROM solid_queue_scheduled_executions;
