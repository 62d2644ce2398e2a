-- These jobs, as j; the condition is_named goes with it.
{include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
