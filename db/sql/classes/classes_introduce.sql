-- classes_introduce(classes, now) ->
-- Records what classes declare, as classes_publish does, but only for classes
-- of which nothing is known yet: an enqueuer is no authority on what others have declared.

-- @mysql
{include:insert_classes {as_jobs}}
WHERE NOT EXISTS (SELECT 1 FROM dray_classes known WHERE known.class_name = x.class_name)
ORDER BY x.class_name, x.position
ON DUPLICATE KEY UPDATE dray_classes.slots = dray_classes.slots;

-- @postgresql
{include:insert_classes}
WHERE NOT EXISTS (SELECT 1 FROM dray_classes known WHERE known.class_name = x.class_name)
ORDER BY x.class_name, x.position
ON CONFLICT (class_name, position) DO NOTHING;

-- @sqlite
{include:insert_classes}
WHERE NOT EXISTS (SELECT 1 FROM dray_classes known
	WHERE known.class_name = x.value ->> 'class_name')
ON CONFLICT (class_name, position) DO NOTHING;
