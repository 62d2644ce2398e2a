-- The jobs j that were enqueued now, as find_enqueued has found them.
{include:ids @dray_jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
