-- recurring_publish(tasks, now) ->
-- Writes static tasks as Solid Queue does, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]. "rails" is the schedule that Rails reads; without it the task is
-- in our table only. A task counts as new, and so misses nothing, when its schedule is new, or
-- what says which occurrences that means.
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
ON CONFLICT ("key") DO UPDATE SET schedule = excluded.schedule, {include:take_task}
WHERE (solid_queue_recurring_tasks.schedule, {include:task_columns solid_queue_recurring_tasks.})
	IS NOT (excluded.schedule, {include:task_columns excluded.});
INSERT INTO dray_recurring_own (task_key, command, class_name, arguments, queue_name, priority,
	static, description, created_at, updated_at)
SELECT value ->> 'key', value ->> 'command', value ->> 'class_name', value ->> 'arguments',
	value ->> 'queue_name', value ->> 'priority', 1, value ->> 'description', :now, :now
FROM json_each(:tasks)
WHERE (value ->> 'rails') IS NULL
ON CONFLICT (task_key) DO UPDATE SET {include:take_task}
WHERE ({include:task_columns dray_recurring_own.})
	IS NOT ({include:task_columns excluded.});
DELETE FROM solid_queue_recurring_tasks WHERE "key" IN (
	SELECT value ->> 'key' FROM json_each(:tasks) WHERE (value ->> 'rails') IS NULL);
DELETE FROM dray_recurring_own WHERE task_key IN (
	SELECT value ->> 'key' FROM json_each(:tasks) WHERE (value ->> 'rails') IS NOT NULL);
