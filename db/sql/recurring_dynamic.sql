-- recurring_dynamic() -> key, schedule, class_name, arguments, queue_name, priority, settings, since
-- The tasks that were added at run time, by us or by Rails, which has no row of ours.
-- read
-- rows
SELECT s.key, CASE WHEN d.since >= s.created_at THEN d.schedule ELSE s.schedule END,
	s.class_name, s.arguments, s.queue_name, s.priority, d.settings,
	CASE WHEN d.since >= s.created_at THEN d.since END
FROM solid_queue_recurring_tasks s
LEFT JOIN dray_recurring_tasks d ON d.task_key = s.key
WHERE NOT s.static
ORDER BY s.key;
