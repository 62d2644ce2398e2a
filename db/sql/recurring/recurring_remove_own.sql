-- recurring_remove_own(key, target, reason, who, host, now) ->
-- The same for one that Rails does not know.
-- guard
DELETE FROM dray_recurring_own WHERE task_key = :key AND NOT static;
DELETE FROM dray_recurring_tasks WHERE task_key = :key;
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ('remove task', :target, :reason, :who, :host, 1, 'done', :now);
