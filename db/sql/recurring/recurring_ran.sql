-- recurring_ran(key, run_at, target, reason, who, host, now) ->
-- The audit trail's line of a run that somebody asked for, in the transaction that enqueues it.
-- guard
UPDATE dray_recurring_runs SET outcome = 'manual'
WHERE task_key = :key AND run_at = :run_at AND created_at = :now;
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ('run task', :target, :reason, :who, :host, 1, 'done', :now);
