-- recurring_publish(tasks, now) ->
-- Static tasks as Solid Queue writes them, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]; "rails" is the schedule that Rails reads; without it the
-- task is in our table only. A task is new, and so misses nothing, when its schedule is, or what says
-- which occurrences that means.
INSERT INTO dray_recurring_tasks (task_key, schedule, settings, since, created_at)
SELECT value ->> 'key', value ->> 'schedule', value ->> 'settings', :now, :now
FROM json_each(:tasks)
WHERE true
ON CONFLICT (task_key) DO UPDATE SET schedule = excluded.schedule, settings = excluded.settings,
	since = CASE WHEN (dray_recurring_tasks.schedule,
			dray_recurring_tasks.settings ->> 'time_zone',
			dray_recurring_tasks.settings ->> 'dst_gap',
			dray_recurring_tasks.settings ->> 'dst_overlap',
			dray_recurring_tasks.settings ->> 'enabled')
		IS (excluded.schedule, excluded.settings ->> 'time_zone',
			excluded.settings ->> 'dst_gap', excluded.settings ->> 'dst_overlap',
			excluded.settings ->> 'enabled')
		THEN dray_recurring_tasks.since ELSE excluded.since END
WHERE (dray_recurring_tasks.schedule, dray_recurring_tasks.settings)
	IS NOT (excluded.schedule, excluded.settings);
INSERT INTO solid_queue_recurring_tasks ("key", schedule, command, class_name, arguments,
	queue_name, priority, static, description, created_at, updated_at)
SELECT value ->> 'key', value ->> 'rails', value ->> 'command', value ->> 'class_name',
	value ->> 'arguments', value ->> 'queue_name', value ->> 'priority', 1,
	value ->> 'description', :now, :now
FROM json_each(:tasks)
WHERE (value ->> 'rails') IS NOT NULL
ON CONFLICT ("key") DO UPDATE SET schedule = excluded.schedule, command = excluded.command,
	class_name = excluded.class_name, arguments = excluded.arguments,
	queue_name = excluded.queue_name, priority = excluded.priority, static = 1,
	description = excluded.description, updated_at = excluded.updated_at
WHERE (solid_queue_recurring_tasks.schedule, solid_queue_recurring_tasks.command,
		solid_queue_recurring_tasks.class_name, solid_queue_recurring_tasks.arguments,
		solid_queue_recurring_tasks.queue_name, solid_queue_recurring_tasks.priority,
		solid_queue_recurring_tasks.static, solid_queue_recurring_tasks.description)
	IS NOT (excluded.schedule, excluded.command, excluded.class_name, excluded.arguments,
		excluded.queue_name, excluded.priority, 1, excluded.description);
INSERT INTO dray_recurring_own (task_key, command, class_name, arguments, queue_name, priority,
	static, description, created_at, updated_at)
SELECT value ->> 'key', value ->> 'command', value ->> 'class_name', value ->> 'arguments',
	value ->> 'queue_name', value ->> 'priority', 1, value ->> 'description', :now, :now
FROM json_each(:tasks)
WHERE (value ->> 'rails') IS NULL
ON CONFLICT (task_key) DO UPDATE SET command = excluded.command, class_name = excluded.class_name,
	arguments = excluded.arguments, queue_name = excluded.queue_name,
	priority = excluded.priority, static = 1, description = excluded.description,
	updated_at = excluded.updated_at
WHERE (dray_recurring_own.command, dray_recurring_own.class_name, dray_recurring_own.arguments,
		dray_recurring_own.queue_name, dray_recurring_own.priority,
		dray_recurring_own.static, dray_recurring_own.description)
	IS NOT (excluded.command, excluded.class_name, excluded.arguments, excluded.queue_name,
		excluded.priority, 1, excluded.description);
DELETE FROM solid_queue_recurring_tasks WHERE "key" IN (
	SELECT value ->> 'key' FROM json_each(:tasks) WHERE (value ->> 'rails') IS NULL);
DELETE FROM dray_recurring_own WHERE task_key IN (
	SELECT value ->> 'key' FROM json_each(:tasks) WHERE (value ->> 'rails') IS NOT NULL);
