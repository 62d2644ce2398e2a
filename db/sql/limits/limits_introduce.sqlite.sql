-- limits_introduce(limits, now) ->
-- What classes declare, as limits_publish takes it, but only of those of which nothing is known yet:
-- whoever enqueues is no authority on what others have declared.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT value ->> 'class_name', value ->> 'position', value ->> 'slots', value ->> 'duration_ms',
	value ->> 'on_conflict', value ->> 'key_template', value ->> 'group_name', :now
FROM json_each(:limits) x
WHERE NOT EXISTS (SELECT 1 FROM dray_limits known
	WHERE known.class_name = x.value ->> 'class_name')
ON CONFLICT (class_name, position) DO NOTHING;
