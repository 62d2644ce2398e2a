-- recurring_forget(keys) ->
-- Static tasks of ours whose keys are not among these (["key"]) any more. What Rails has put into
-- Solid Queue's table is not known to ours, and stays. A pause outlives its task, which may come back.
DELETE s
FROM dray_recurring_tasks d
LEFT JOIN JSON_TABLE(:keys, '$[*]' COLUMNS (name varchar(255) {as_jobs} PATH '$')) x
	ON x.name = d.task_key
STRAIGHT_JOIN solid_queue_recurring_tasks s
	FORCE INDEX (index_solid_queue_recurring_tasks_on_key) ON s.`key` = d.task_key
WHERE x.name IS NULL AND s.static;
DELETE d
FROM dray_recurring_tasks d
LEFT JOIN JSON_TABLE(:keys, '$[*]' COLUMNS (name varchar(255) {as_jobs} PATH '$')) x
	ON x.name = d.task_key
WHERE x.name IS NULL AND (d.paused_at IS NULL OR d.resumed_at IS NOT NULL)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
		FORCE INDEX (index_solid_queue_recurring_tasks_on_key) WHERE s.`key` = d.task_key);
