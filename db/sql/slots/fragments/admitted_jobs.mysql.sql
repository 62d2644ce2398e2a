-- The jobs j that are admitted now, each with its blocked row b.
{include:ids @dray_admitted} x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
