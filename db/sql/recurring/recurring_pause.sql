-- recurring_pause(key, target, reason, who, host, now) -> changed
-- The end of an earlier pause stays known: what was before it is not made up after this one either.
-- One that is paused already stays so since when it was, and what is told about it is new. Changing
-- no row means that no task of ours has this key.
-- guard
UPDATE dray_recurring_tasks
SET paused_at = coalesce(paused_at, :now), paused_by = :who, paused_host = :host, pause_reason = :reason
WHERE task_key = :key
	AND (EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = :key)
		OR EXISTS (SELECT 1 FROM dray_recurring_own o WHERE o.task_key = :key));
{include:audit_done 'pause task'};
-- rows
SELECT paused_at = :now FROM dray_recurring_tasks WHERE task_key = :key;
