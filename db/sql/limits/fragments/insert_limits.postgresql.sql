-- Inserts what classes declare, from :limits, into dray_limits.
INSERT INTO dray_limits AS known (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.slots, x.duration_ms, x.on_conflict, x.key_template,
	x.group_name, :now::timestamp
FROM json_to_recordset(:limits::json) AS x(class_name text, position integer, slots integer,
	duration_ms bigint, on_conflict text, key_template text, group_name text)
