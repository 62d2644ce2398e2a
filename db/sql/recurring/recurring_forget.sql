-- recurring_forget(keys) ->
-- Deletes our static tasks whose keys are not among these (["key"]) any more. What Rails has put
-- into Solid Queue's table is not known to ours, and stays. A pause outlives its task, which may
-- come back.

-- @mysql
DELETE s
FROM {include:keys_gone dray_recurring_tasks}
STRAIGHT_JOIN solid_queue_recurring_tasks s
	FORCE INDEX (index_solid_queue_recurring_tasks_on_key) ON s.`key` = gone.name
WHERE s.static;
DELETE o
FROM {include:keys_gone dray_recurring_own}
STRAIGHT_JOIN dray_recurring_own o FORCE INDEX (PRIMARY) ON o.task_key = gone.name
WHERE o.static;
DELETE d
FROM {include:keys_gone dray_recurring_tasks}
STRAIGHT_JOIN dray_recurring_tasks d FORCE INDEX (PRIMARY) ON d.task_key = gone.name
WHERE d.paused_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
		FORCE INDEX (index_solid_queue_recurring_tasks_on_key) WHERE s.`key` = d.task_key)
	AND NOT EXISTS (SELECT 1 FROM dray_recurring_own o
		FORCE INDEX (PRIMARY) WHERE o.task_key = d.task_key);

-- @postgresql
DELETE FROM solid_queue_recurring_tasks s
WHERE s.static AND s.key IN (SELECT d.task_key FROM dray_recurring_tasks d
	WHERE d.task_key NOT IN (SELECT json_array_elements_text(:keys::json)));
DELETE FROM dray_recurring_own
WHERE static AND task_key NOT IN (SELECT json_array_elements_text(:keys::json));
DELETE FROM dray_recurring_tasks
WHERE task_key NOT IN (SELECT json_array_elements_text(:keys::json))
	AND paused_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
		WHERE s.key = dray_recurring_tasks.task_key)
	AND NOT EXISTS (SELECT 1 FROM dray_recurring_own o
		WHERE o.task_key = dray_recurring_tasks.task_key);

-- @sqlite
DELETE FROM solid_queue_recurring_tasks
WHERE static AND "key" IN (SELECT d.task_key FROM dray_recurring_tasks d
	WHERE d.task_key NOT IN (SELECT value FROM json_each(:keys)));
DELETE FROM dray_recurring_own
WHERE static AND task_key NOT IN (SELECT value FROM json_each(:keys));
DELETE FROM dray_recurring_tasks
WHERE task_key NOT IN (SELECT value FROM json_each(:keys))
	AND paused_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s
		WHERE s.key = dray_recurring_tasks.task_key)
	AND NOT EXISTS (SELECT 1 FROM dray_recurring_own o
		WHERE o.task_key = dray_recurring_tasks.task_key);
