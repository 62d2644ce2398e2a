-- recurring_add(key, schedule, rails, settings, class_name, arguments, queue_name, priority, description, target, reason, who, host, now) ->
-- A dynamic task. CONFLICT: there is a task of this key, of a file or not, ours or of others. What
-- may be left of one that is gone is forgotten, so that the new one is not paused.
INSERT INTO solid_queue_recurring_tasks (`key`, schedule, class_name, arguments, queue_name,
	priority, static, description, created_at, updated_at)
VALUES (:key, :rails, :class_name, :arguments, :queue_name, :priority, false, :description,
	:now, :now);
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
INSERT INTO dray_recurring_tasks (task_key, schedule, settings, since, created_at)
VALUES (:key, :schedule, :settings, :now, :now);
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ('add task', :target, :reason, :who, :host, 1, 'done', :now);
