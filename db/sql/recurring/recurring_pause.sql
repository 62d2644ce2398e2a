-- recurring_pause(key, target, reason, who, host, now) -> changed
-- Pauses a task. The end of an earlier pause stays known: what was before it is not made up for
-- after this one either. A task that is paused already stays paused since the same time, and
-- what is told about its pause is new. Changing no row means that no task of ours has this key.
-- guard
UPDATE dray_recurring_tasks
SET paused_at = coalesce(paused_at, :now), paused_by = :who, paused_host = :host, pause_reason = :reason
WHERE task_key = :key
	AND (EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = :key)
		OR EXISTS (SELECT 1 FROM dray_recurring_own o WHERE o.task_key = :key));
{include:audit_done 'pause task'};
-- rows
SELECT paused_at = :now FROM dray_recurring_tasks WHERE task_key = :key;
