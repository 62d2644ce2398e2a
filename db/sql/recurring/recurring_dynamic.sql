-- recurring_dynamic() -> key, schedule, class_name, arguments, queue_name, priority, settings, since, rails
-- Lists the tasks that were added at run time, by us or by Rails, which writes no row of ours.
-- rails: the schedule that Rails reads; null: Rails does not know the task.
-- read
-- rows
SELECT s.key, CASE WHEN d.since >= s.created_at THEN d.schedule ELSE s.schedule END,
	s.class_name, s.arguments, s.queue_name, s.priority, d.settings,
	CASE WHEN d.since >= s.created_at THEN d.since END, s.schedule
FROM solid_queue_recurring_tasks s
LEFT JOIN dray_recurring_tasks d ON d.task_key = s.key
WHERE NOT s.static
UNION ALL
SELECT o.task_key, d.schedule, o.class_name, o.arguments, o.queue_name, o.priority, d.settings, d.since, NULL
FROM dray_recurring_own o
JOIN dray_recurring_tasks d ON d.task_key = o.task_key
WHERE NOT o.static
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = o.task_key)
ORDER BY 1;
