-- recurring_forget(keys) ->
-- Deletes our static tasks whose keys are not among these (["key"]) any more. What Rails has put
-- into Solid Queue's table is not known to ours, and stays. A pause outlives its task, which may
-- come back.
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
