-- recurring_forget(keys) ->
-- Static tasks of ours whose keys are not among these (["key"]) any more. What Rails has put into
-- Solid Queue's table is not known to ours, and stays. A pause outlives its task, which may come back.
-- Both lists are grouped, for a JSON_TABLE has no index: joined they would be compared each with each.
DELETE s
FROM (SELECT name FROM (
	SELECT task_key AS name, 0 AS stays FROM dray_recurring_tasks
	UNION ALL
	SELECT x.name, 1 FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$')) x) listed
	GROUP BY name HAVING max(stays) = 0) gone
STRAIGHT_JOIN solid_queue_recurring_tasks s
	FORCE INDEX (index_solid_queue_recurring_tasks_on_key) ON s.`key` = gone.name
WHERE s.static;
DELETE o
FROM (SELECT name FROM (
	SELECT task_key AS name, 0 AS stays FROM dray_recurring_own
	UNION ALL
	SELECT x.name, 1 FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$')) x) listed
	GROUP BY name HAVING max(stays) = 0) gone
STRAIGHT_JOIN dray_recurring_own o FORCE INDEX (PRIMARY) ON o.task_key = gone.name
WHERE o.static;
DELETE d
FROM (SELECT name FROM (
	SELECT task_key AS name, 0 AS stays FROM dray_recurring_tasks
	UNION ALL
	SELECT x.name, 1 FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$')) x) listed
	GROUP BY name HAVING max(stays) = 0) gone
STRAIGHT_JOIN dray_recurring_tasks d FORCE INDEX (PRIMARY) ON d.task_key = gone.name
WHERE d.paused_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
		FORCE INDEX (index_solid_queue_recurring_tasks_on_key) WHERE s.`key` = d.task_key)
	AND NOT EXISTS (SELECT 1 FROM dray_recurring_own o
		FORCE INDEX (PRIMARY) WHERE o.task_key = d.task_key);
