-- recurring_forget(keys) ->
-- Deletes our static tasks whose keys are not among these (["key"]) any more. What Rails has put
-- into Solid Queue's table is not known to ours, and stays. A pause outlives its task, which may
-- come back.
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
