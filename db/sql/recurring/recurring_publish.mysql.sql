-- recurring_publish(tasks, now) ->
-- Writes static tasks as Solid Queue does, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]. "rails" is the schedule that Rails reads; without it the task is
-- in our table only. A task counts as new, and so misses nothing, when its schedule is new, or
-- what says which occurrences that means.
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
