-- Inserts what classes declare, from :limits, into dray_limits.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.value ->> 'class_name', x.value ->> 'position', x.value ->> 'slots',
	x.value ->> 'duration_ms', x.value ->> 'on_conflict', x.value ->> 'key_template',
	x.value ->> 'group_name', :now
FROM json_each(:limits) x
