-- limits_introduce(limits, now) ->
-- What classes declare, as limits_publish takes it, but only of those of which nothing is known yet:
-- whoever enqueues is no authority on what others have declared.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.slots, x.duration_ms, x.on_conflict, x.key_template,
	x.group_name, :now::timestamp
FROM json_to_recordset(:limits::json) AS x(class_name text, position integer, slots integer,
	duration_ms bigint, on_conflict text, key_template text, group_name text)
WHERE NOT EXISTS (SELECT 1 FROM dray_limits known WHERE known.class_name = x.class_name)
ORDER BY x.class_name, x.position
ON CONFLICT (class_name, position) DO NOTHING;
