-- resume(queue, under, target, reason, who, host, now) ->
-- Resumes a queue. Changing no row means that it was not paused. Under a pattern (under = 1) our
-- row stays, stale: it says that the pattern does not pause the queue any more.
-- guard
DELETE FROM solid_queue_pauses WHERE queue_name = :queue;
DELETE FROM dray_pauses WHERE kind = 'queue' AND name = :queue AND :under = 0;
{include:audit_done 'resume'};
