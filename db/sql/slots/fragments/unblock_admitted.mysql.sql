-- Deletes the blocked rows of the jobs that are admitted now.
DELETE b
FROM {include:ids @dray_admitted} x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
