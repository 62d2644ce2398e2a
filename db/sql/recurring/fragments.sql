-- What several operations of recurring/ share (db/scripts/dialect.h).
-- columns run_state(job, finished_at, failed, claimed, ended)
-- list occurrence_row(active_job_id, task_key, run_at, outcome, since, dynamic)
-- list skipped_row(task_key, run_at, first_at, outcome, occurrences)
-- list task_row(key, schedule, rails, command, class_name, arguments, queue_name, priority, description, settings)

-- @fragment keys_gone
-- The keys in the table {it} that are not among :keys. Both lists are grouped, for a JSON_TABLE
-- has no index: joined they would be compared each with each.

-- @mysql
(SELECT name FROM (
	SELECT task_key AS name, 0 AS stays FROM {it}
	UNION ALL
	SELECT x.name, 1 FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$')) x) listed
	GROUP BY name HAVING max(stays) = 0) gone

-- @fragment published_keys
-- The keys of :tasks as a table, and the schedule that Rails reads.

-- @mysql
JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails')) x

-- @fragment published_tasks
-- The tasks of :tasks as a table.

-- @mysql
JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails',
	command varchar(2048) CHARACTER SET utf8mb4 PATH '$.command',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	priority int PATH '$.priority',
	description longtext CHARACTER SET utf8mb4 PATH '$.description')) x

-- @postgresql
json_to_recordset(:tasks::json) AS x(key text, rails text, command text, class_name text,
	arguments text, queue_name text, priority integer, description text)

-- @fragment recurring_of_dray
-- The tasks in dray's own table, whose schedules Rails cannot read, and what is known of their last
-- run.
SELECT o.task_key, o.static, d.schedule, o.command, o.class_name, o.arguments, o.queue_name,
	o.priority, o.description, o.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, d.resumed_at, r.run_at, r.outcome, r.job_id, j.id, j.finished_at, f.id, c.id, {include:last_outcome j.id}, NULL
FROM dray_recurring_own o
JOIN dray_recurring_tasks d ON d.task_key = o.task_key
LEFT JOIN dray_recurring_runs r ON r.task_key = o.task_key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = o.task_key)
LEFT JOIN solid_queue_jobs j ON j.id = r.job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = r.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = r.job_id

-- @fragment recurring_of_rails
-- The tasks in Rails' table, and what is known of their last run: Rails' own are only in the table of
-- executions.
SELECT s.key, s.static,
	CASE WHEN d.task_key IS NULL OR (NOT s.static AND d.since < s.created_at) THEN s.schedule
		ELSE d.schedule END, s.command, s.class_name, s.arguments, s.queue_name,
	s.priority, s.description, s.updated_at, d.settings, d.since,
	d.paused_at, d.paused_by, d.paused_host, d.pause_reason, d.resumed_at, COALESCE(r.run_at,
		(SELECT max(e.run_at) FROM solid_queue_recurring_executions e WHERE e.task_key = s.key)),
	r.outcome, COALESCE(r.job_id, j.id), j.id, j.finished_at, f.id, c.id, {include:last_outcome j.id}, s.schedule
FROM solid_queue_recurring_tasks s
LEFT JOIN dray_recurring_tasks d ON d.task_key = s.key
LEFT JOIN dray_recurring_runs r ON r.task_key = s.key
	AND r.run_at = (SELECT max(l.run_at) FROM dray_recurring_runs l WHERE l.task_key = s.key)
LEFT JOIN solid_queue_jobs j ON j.id = COALESCE(r.job_id,
	(SELECT e.job_id FROM solid_queue_recurring_executions e WHERE e.task_key = s.key AND e.run_at =
		(SELECT max(x.run_at) FROM solid_queue_recurring_executions x WHERE x.task_key = s.key)))
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id

-- @fragment setting_stays
-- The task known in dray_recurring_tasks and the new one have the same at {it} of their settings.

-- @mysql
JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, {it}))
	<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), {it}))

-- @fragment take_task
-- Sets every column of the task to the new one's, but for its schedule.

-- @mysql
command = VALUES(command), class_name = VALUES(class_name), arguments = VALUES(arguments),
queue_name = VALUES(queue_name), priority = VALUES(priority), static = 1,
description = VALUES(description)

-- @postgresql @sqlite
command = excluded.command, class_name = excluded.class_name, arguments = excluded.arguments,
queue_name = excluded.queue_name, priority = excluded.priority, static = excluded.static,
description = excluded.description, updated_at = excluded.updated_at

-- @fragment task_columns
-- What a task is, but for its schedule; {it} is what the columns begin with.
{it}command, {it}class_name, {it}arguments, {it}queue_name, {it}priority, {it}static, {it}description

-- @fragment task_stays
-- The task known in the table {it} and the new one are the same, but for their schedules.

-- @mysql
{it}.command <=> VALUES(command)
AND {it}.class_name <=> VALUES(class_name)
AND {it}.arguments <=> VALUES(arguments)
AND {it}.queue_name <=> VALUES(queue_name)
AND {it}.priority <=> VALUES(priority)
AND {it}.static
AND {it}.description <=> VALUES(description)
