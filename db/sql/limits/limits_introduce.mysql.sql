-- limits_introduce(limits, now) ->
-- Records what classes declare about concurrency, as limits_publish does, but only for classes
-- of which nothing is known yet: an enqueuer is no authority on what others have declared.
{include:insert_limits {as_jobs}}
WHERE NOT EXISTS (SELECT 1 FROM dray_limits known WHERE known.class_name = x.class_name)
ORDER BY x.class_name, x.position
ON DUPLICATE KEY UPDATE dray_limits.slots = dray_limits.slots;
