-- recurring_resume(key, target, reason, who, host, now) ->
-- Resumes a task, which begins anew: the occurrences until now that are not decided on never
-- happen. Changing no row means that it was not paused.
-- guard
UPDATE dray_recurring_tasks SET resumed_at = :now, paused_at = NULL
WHERE task_key = :key AND paused_at IS NOT NULL;
{include:audit_done 'resume task'};
