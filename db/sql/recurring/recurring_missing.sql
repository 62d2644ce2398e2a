-- recurring_missing(limit) -> key
-- Finds tasks of ours that somebody has taken out of Solid Queue's table.
-- read
-- rows
SELECT d.task_key FROM dray_recurring_tasks d
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = d.task_key)
	AND NOT EXISTS (SELECT 1 FROM dray_recurring_own o WHERE o.task_key = d.task_key)
ORDER BY d.task_key LIMIT :limit;
