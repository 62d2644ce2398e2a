-- recurring_remove_own(key, target, reason, who, host, now) ->
-- Does what recurring_remove does for a task that Rails does not know.
-- guard
DELETE FROM dray_recurring_own WHERE task_key = :key AND NOT static;
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
{include:audit_done 'remove task'};
