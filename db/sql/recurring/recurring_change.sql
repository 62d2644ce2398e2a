-- recurring_change(key, seen, since, schedule, rails, settings, class_name, arguments, queue_name, priority, description, target, reason, who, host, now) ->
-- Changes a dynamic task, which leaves Rails' table when Rails has no schedule for it. Changing
-- no row means that the task has changed since it was seen.
-- guard
UPDATE solid_queue_recurring_tasks AS s
	{index:index_solid_queue_recurring_tasks_on_key}
SET schedule = coalesce(:rails, :schedule), class_name = :class_name, arguments = :arguments,
	queue_name = :queue_name, priority = :priority, description = :description,
	updated_at = :now
WHERE s.key = :key AND NOT s.static AND s.updated_at = :seen;
INSERT INTO dray_recurring_own (task_key, class_name, arguments, queue_name, priority, static,
	description, created_at, updated_at)
SELECT s.key, s.class_name, s.arguments, s.queue_name, s.priority, s.static, s.description,
	s.created_at, s.updated_at
FROM solid_queue_recurring_tasks s WHERE s.key = :key AND CAST(:rails AS char) IS NULL;
DELETE FROM solid_queue_recurring_tasks
WHERE solid_queue_recurring_tasks.key = :key AND CAST(:rails AS char) IS NULL;
UPDATE dray_recurring_tasks SET since = :since, schedule = :schedule, settings = :settings
WHERE task_key = :key;
{include:audit_done 'change task'};
