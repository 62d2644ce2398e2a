-- recurring_publish(tasks, now) ->
-- Writes static tasks as Solid Queue does, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]. "rails" is the schedule that Rails reads; without it the task is
-- in our table only. A task counts as new, and so misses nothing, when its schedule is new, or
-- what says which occurrences that means.
INSERT INTO dray_recurring_tasks AS known (task_key, schedule, settings, since, created_at)
SELECT x.key, x.schedule, x.settings, :now::timestamp, :now::timestamp
FROM json_to_recordset(:tasks::json) AS x(key text, schedule text, settings text)
ORDER BY x.key
ON CONFLICT (task_key) DO UPDATE SET schedule = excluded.schedule, settings = excluded.settings,
	since = CASE WHEN (known.schedule, known.settings::json ->> 'time_zone',
			known.settings::json ->> 'dst_gap', known.settings::json ->> 'dst_overlap',
			known.settings::json ->> 'enabled')
		IS NOT DISTINCT FROM (excluded.schedule, excluded.settings::json ->> 'time_zone',
			excluded.settings::json ->> 'dst_gap', excluded.settings::json ->> 'dst_overlap',
			excluded.settings::json ->> 'enabled')
		THEN known.since ELSE excluded.since END
WHERE (known.schedule, known.settings) IS DISTINCT FROM (excluded.schedule, excluded.settings);
INSERT INTO solid_queue_recurring_tasks AS known (key, schedule, command, class_name, arguments,
	queue_name, priority, static, description, created_at, updated_at)
SELECT x.key, x.rails, x.command, x.class_name, x.arguments, x.queue_name, x.priority, true,
	x.description, :now::timestamp, :now::timestamp
FROM {include:published_tasks}
WHERE x.rails IS NOT NULL
ORDER BY x.key
ON CONFLICT (key) DO UPDATE SET schedule = excluded.schedule, {include:take_task}
WHERE (known.schedule, {include:task_columns known.})
	IS DISTINCT FROM (excluded.schedule, {include:task_columns excluded.});
INSERT INTO dray_recurring_own AS known (task_key, command, class_name, arguments, queue_name,
	priority, static, description, created_at, updated_at)
SELECT x.key, x.command, x.class_name, x.arguments, x.queue_name, x.priority, true, x.description,
	:now::timestamp, :now::timestamp
FROM {include:published_tasks}
WHERE x.rails IS NULL
ORDER BY x.key
ON CONFLICT (task_key) DO UPDATE SET {include:take_task}
WHERE ({include:task_columns known.})
	IS DISTINCT FROM ({include:task_columns excluded.});
DELETE FROM solid_queue_recurring_tasks WHERE key = ANY (ARRAY(
	SELECT x.key FROM json_to_recordset(:tasks::json) AS x(key text, rails text)
	WHERE x.rails IS NULL));
DELETE FROM dray_recurring_own WHERE task_key = ANY (ARRAY(
	SELECT x.key FROM json_to_recordset(:tasks::json) AS x(key text, rails text)
	WHERE x.rails IS NOT NULL));
