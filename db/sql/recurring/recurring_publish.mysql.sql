-- recurring_publish(tasks, now) ->
-- Static tasks as Solid Queue writes them, and beside them what it has no column for: tasks is
-- [{"key", "schedule", "rails", "command", "class_name", "arguments", "queue_name", "priority",
-- "description", "settings"}]; "rails" is the schedule that Rails reads; without it the
-- task is in our table only. A task is new, and so misses nothing, when its schedule is, or what says
-- which occurrences that means.
INSERT INTO dray_recurring_tasks (task_key, schedule, settings, since, created_at)
SELECT x.name, x.schedule, x.settings, :now, :now
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	schedule varchar(255) CHARACTER SET utf8mb4 PATH '$.schedule',
	settings text CHARACTER SET utf8mb4 PATH '$.settings')) x
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	since = IF(dray_recurring_tasks.schedule = VALUES(schedule)
		AND JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, '$.time_zone'))
			<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), '$.time_zone'))
		AND JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, '$.dst_gap'))
			<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), '$.dst_gap'))
		AND JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, '$.dst_overlap'))
			<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), '$.dst_overlap'))
		AND JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, '$.enabled'))
			<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), '$.enabled')),
		dray_recurring_tasks.since, VALUES(since)),
	schedule = VALUES(schedule), settings = VALUES(settings);
INSERT INTO solid_queue_recurring_tasks (`key`, schedule, command, class_name, arguments,
	queue_name, priority, static, description, created_at, updated_at)
SELECT x.name, x.rails, x.command, x.class_name, x.arguments, x.queue_name, x.priority, 1,
	x.description, :now, :now
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails',
	command varchar(2048) CHARACTER SET utf8mb4 PATH '$.command',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	priority int PATH '$.priority',
	description longtext CHARACTER SET utf8mb4 PATH '$.description')) x
WHERE x.rails IS NOT NULL
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	updated_at = IF(solid_queue_recurring_tasks.schedule <=> VALUES(schedule)
		AND solid_queue_recurring_tasks.command <=> VALUES(command)
		AND solid_queue_recurring_tasks.class_name <=> VALUES(class_name)
		AND solid_queue_recurring_tasks.arguments <=> VALUES(arguments)
		AND solid_queue_recurring_tasks.queue_name <=> VALUES(queue_name)
		AND solid_queue_recurring_tasks.priority <=> VALUES(priority)
		AND solid_queue_recurring_tasks.static
		AND solid_queue_recurring_tasks.description <=> VALUES(description),
		solid_queue_recurring_tasks.updated_at, VALUES(updated_at)),
	schedule = VALUES(schedule), command = VALUES(command), class_name = VALUES(class_name),
	arguments = VALUES(arguments), queue_name = VALUES(queue_name),
	priority = VALUES(priority), static = 1, description = VALUES(description);
INSERT INTO dray_recurring_own (task_key, command, class_name, arguments, queue_name, priority,
	static, description, created_at, updated_at)
SELECT x.name, x.command, x.class_name, x.arguments, x.queue_name, x.priority, 1, x.description,
	:now, :now
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails',
	command varchar(2048) CHARACTER SET utf8mb4 PATH '$.command',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	priority int PATH '$.priority',
	description longtext CHARACTER SET utf8mb4 PATH '$.description')) x
WHERE x.rails IS NULL
ORDER BY x.name
ON DUPLICATE KEY UPDATE
	updated_at = IF(dray_recurring_own.command <=> VALUES(command)
		AND dray_recurring_own.class_name <=> VALUES(class_name)
		AND dray_recurring_own.arguments <=> VALUES(arguments)
		AND dray_recurring_own.queue_name <=> VALUES(queue_name)
		AND dray_recurring_own.priority <=> VALUES(priority)
		AND dray_recurring_own.static
		AND dray_recurring_own.description <=> VALUES(description),
		dray_recurring_own.updated_at, VALUES(updated_at)),
	command = VALUES(command), class_name = VALUES(class_name), arguments = VALUES(arguments),
	queue_name = VALUES(queue_name), priority = VALUES(priority), static = 1,
	description = VALUES(description);
DELETE s
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails')) x
STRAIGHT_JOIN solid_queue_recurring_tasks s
	FORCE INDEX (index_solid_queue_recurring_tasks_on_key) ON s.`key` = x.name
WHERE x.rails IS NULL;
DELETE o
FROM JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails')) x
STRAIGHT_JOIN dray_recurring_own o FORCE INDEX (PRIMARY) ON o.task_key = x.name
WHERE x.rails IS NOT NULL;
