-- recurring_ran(key, run_at, target, reason, who, host, now) ->
-- Records in the audit trail a run that somebody asked for, in the transaction that enqueues it.
-- guard
UPDATE dray_recurring_runs SET outcome = 'manual'
WHERE task_key = :key AND run_at = :run_at AND created_at = :now;
{include:audit_done 'run task'};
