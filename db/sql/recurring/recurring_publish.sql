-- recurring_publish(tasks, now) ->
-- Writes static tasks as Solid Queue does, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]. "rails" is the schedule that Rails reads; without it the task is
-- in our table only. A task counts as new, and so misses nothing, when its schedule is new, or
-- what says which occurrences that means.

-- @mysql
INSERT INTO dray_recurring_tasks (task_key, schedule, settings, since, created_at)
SELECT x.name, x.schedule, x.settings, :now, :now
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	schedule varchar(255) CHARACTER SET utf8mb4 PATH '$.schedule',
	settings text CHARACTER SET utf8mb4 PATH '$.settings')) x
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	since = IF(dray_recurring_tasks.schedule = VALUES(schedule)
		AND {include:setting_stays '$.time_zone'}
		AND {include:setting_stays '$.dst_gap'}
		AND {include:setting_stays '$.dst_overlap'}
		AND {include:setting_stays '$.enabled'},
		dray_recurring_tasks.since, VALUES(since)),
	schedule = VALUES(schedule), settings = VALUES(settings);
INSERT INTO solid_queue_recurring_tasks (`key`, schedule, command, class_name, arguments,
	queue_name, priority, static, description, created_at, updated_at)
SELECT x.name, x.rails, x.command, x.class_name, x.arguments, x.queue_name, x.priority, 1,
	x.description, :now, :now
FROM {include:published_tasks}
WHERE x.rails IS NOT NULL
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	`key` = IF(solid_queue_recurring_tasks.`key` = VALUES(`key`),
		solid_queue_recurring_tasks.`key`, NULL),
	updated_at = IF(solid_queue_recurring_tasks.schedule <=> VALUES(schedule)
		AND {include:task_stays solid_queue_recurring_tasks},
		solid_queue_recurring_tasks.updated_at, VALUES(updated_at)),
	schedule = VALUES(schedule), {include:take_task};
INSERT INTO dray_recurring_own (task_key, command, class_name, arguments, queue_name, priority,
	static, description, created_at, updated_at)
SELECT x.name, x.command, x.class_name, x.arguments, x.queue_name, x.priority, 1, x.description,
	:now, :now
FROM {include:published_tasks}
WHERE x.rails IS NULL
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	updated_at = IF({include:task_stays dray_recurring_own},
		dray_recurring_own.updated_at, VALUES(updated_at)),
	{include:take_task};
DELETE s
FROM {include:published_keys}
STRAIGHT_JOIN solid_queue_recurring_tasks s
	FORCE INDEX (index_solid_queue_recurring_tasks_on_key) ON s.`key` = x.name
WHERE x.rails IS NULL;
DELETE o
FROM {include:published_keys}
STRAIGHT_JOIN dray_recurring_own o FORCE INDEX (PRIMARY) ON o.task_key = x.name
WHERE x.rails IS NOT NULL;

-- @postgresql
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

-- @sqlite
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
