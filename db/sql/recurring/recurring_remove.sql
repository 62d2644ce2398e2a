-- recurring_remove(key, target, reason, who, host, now) ->
-- Removes a dynamic task. Changing no row means that there is no dynamic task of this key. What
-- is known of its occurrences stays.

-- @mysql
-- guard
DELETE s
FROM solid_queue_recurring_tasks s FORCE INDEX (index_solid_queue_recurring_tasks_on_key)
WHERE s.key = :key AND NOT s.static;
DELETE FROM dray_recurring_own WHERE task_key = :key;
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
{include:audit_done 'remove task'};

-- @postgresql @sqlite
-- guard
DELETE FROM solid_queue_recurring_tasks
WHERE solid_queue_recurring_tasks.key = :key AND NOT static;
DELETE FROM dray_recurring_own WHERE task_key = :key;
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
{include:audit_done 'remove task'};
