-- limits_publish(limits, classes, now) ->
-- Records what classes declare about concurrency: limits is [{"class_name", "position", "slots",
-- "duration_ms", "on_conflict", "key_template", "group_name"}]. The classes that are named
-- (["Name"]) lose every limit that is not among these; other classes keep what they have.
{include:insert_limits}
WHERE true
ON CONFLICT (class_name, position) DO UPDATE SET slots = excluded.slots,
	duration_ms = excluded.duration_ms, on_conflict = excluded.on_conflict,
	key_template = excluded.key_template, group_name = excluded.group_name,
	updated_at = excluded.updated_at
WHERE (dray_limits.slots, dray_limits.duration_ms, dray_limits.on_conflict,
		dray_limits.key_template, dray_limits.group_name)
	IS NOT (excluded.slots, excluded.duration_ms, excluded.on_conflict,
		excluded.key_template, excluded.group_name);
DELETE FROM dray_limits
WHERE class_name IN (SELECT value FROM json_each(:classes))
	AND NOT EXISTS (SELECT 1 FROM json_each(:limits) x
		WHERE x.value ->> 'class_name' = dray_limits.class_name
			AND x.value ->> 'position' = dray_limits.position);
