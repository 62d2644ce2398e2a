-- recurring_change_own(key, seen, since, schedule, rails, settings, class_name, arguments, queue_name, priority, description, target, reason, who, host, now) ->
-- Does what recurring_change does for a task that Rails does not know; it comes into Rails'
-- table when Rails has a schedule for it.
-- guard
UPDATE dray_recurring_own
SET class_name = :class_name, arguments = :arguments, queue_name = :queue_name,
	priority = :priority, description = :description, updated_at = :now
WHERE task_key = :key AND NOT static AND updated_at = :seen;
INSERT INTO solid_queue_recurring_tasks ({name:key}, schedule, class_name, arguments, queue_name, priority,
	static, description, created_at, updated_at)
SELECT o.task_key, coalesce(:rails, ''), o.class_name, o.arguments, o.queue_name, o.priority, o.static,
	o.description, o.created_at, o.updated_at
FROM dray_recurring_own o WHERE o.task_key = :key AND coalesce(:rails, '') <> '';
DELETE FROM dray_recurring_own WHERE task_key = :key AND CAST(:rails AS char) IS NOT NULL;
UPDATE dray_recurring_tasks SET since = :since, schedule = :schedule, settings = :settings
WHERE task_key = :key;
{include:audit_done 'change task'};
