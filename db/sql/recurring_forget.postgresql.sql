-- recurring_forget(keys) ->
-- Tasks of ours whose keys are not among these (["key"]) any more. What Rails has put into Solid
-- Queue's table is not known to ours, and stays.
DELETE FROM solid_queue_recurring_tasks s
WHERE s.static AND s.key IN (SELECT d.task_key FROM dray_recurring_tasks d
	WHERE d.task_key NOT IN (SELECT json_array_elements_text(:keys::json)));
DELETE FROM dray_recurring_tasks
WHERE task_key NOT IN (SELECT json_array_elements_text(:keys::json));
