-- recurring_add(key, schedule, rails, settings, class_name, arguments, queue_name, priority, description, target, reason, who, host, now) ->
-- Adds a dynamic task. CONFLICT: there is a task of this key already, of a file or not, ours or
-- of other software. The key is taken in Rails' table and in ours, and then given back in the
-- one where the task is not to be; that is Rails' when Rails has no schedule for it. What may be
-- left of a task that is gone is forgotten, so that the new one is not paused.
INSERT INTO solid_queue_recurring_tasks ({name:key}, schedule, class_name, arguments, queue_name,
	priority, static, description, created_at, updated_at)
VALUES (:key, coalesce(:rails, :schedule), :class_name, :arguments, :queue_name, :priority, false, :description,
	:now, :now);
INSERT INTO dray_recurring_own (task_key, class_name, arguments, queue_name,
	priority, static, description, created_at, updated_at)
SELECT s.key, s.class_name, s.arguments, s.queue_name, s.priority, s.static, s.description,
	s.created_at, s.updated_at
FROM solid_queue_recurring_tasks s WHERE s.key = :key;
DELETE FROM solid_queue_recurring_tasks
WHERE solid_queue_recurring_tasks.key = :key AND CAST(:rails AS char) IS NULL;
DELETE FROM dray_recurring_own WHERE task_key = :key AND CAST(:rails AS char) IS NOT NULL;
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
INSERT INTO dray_recurring_tasks (task_key, schedule, settings, since, created_at)
VALUES (:key, :schedule, :settings, :now, :now);
{include:audit_done 'add task'};
