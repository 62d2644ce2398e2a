-- recurring_resume(key, target, reason, who, host, now) ->
-- The task begins anew: the occurrences until now that nobody has decided on are none. Changing no row
-- means that it was not paused.
-- guard
UPDATE dray_recurring_tasks SET resumed_at = :now, paused_at = NULL
WHERE task_key = :key AND paused_at IS NOT NULL;
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ('resume task', :target, :reason, :who, :host, 1, 'done', :now);
