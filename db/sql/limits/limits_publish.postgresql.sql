-- limits_publish(limits, classes, now) ->
-- Records what classes declare about concurrency: limits is [{"class_name", "position", "slots",
-- "duration_ms", "on_conflict", "key_template", "group_name"}]. The classes that are named
-- (["Name"]) lose every limit that is not among these; other classes keep what they have.
{include:insert_limits}
ORDER BY x.class_name, x.position
ON CONFLICT (class_name, position) DO UPDATE SET slots = excluded.slots,
	duration_ms = excluded.duration_ms, on_conflict = excluded.on_conflict,
	key_template = excluded.key_template, group_name = excluded.group_name,
	updated_at = excluded.updated_at
WHERE (known.slots, known.duration_ms, known.on_conflict, known.key_template, known.group_name)
	IS DISTINCT FROM (excluded.slots, excluded.duration_ms, excluded.on_conflict,
		excluded.key_template, excluded.group_name);
DELETE FROM dray_limits known
WHERE known.class_name IN (SELECT json_array_elements_text(:classes::json))
	AND NOT EXISTS (SELECT 1 FROM json_to_recordset(:limits::json)
			AS x(class_name text, position integer)
		WHERE x.class_name = known.class_name AND x.position = known.position);
