-- resume(queue, under, target, reason, who, host, now) ->
-- Changing no row means that the queue was not paused. Under a pattern (under = 1) our row stays, stale:
-- it says that the queue is not the pattern's any more.
-- guard
DELETE FROM solid_queue_pauses WHERE queue_name = :queue;
DELETE FROM dray_pauses WHERE kind = 'queue' AND name = :queue AND :under = 0;
{include:audit_done 'resume'};
