-- limits_introduce(limits, now) ->
-- What classes declare, as limits_publish takes it, but only of those of which nothing is known yet:
-- whoever enqueues is no authority on what others have declared.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.slots, x.duration_ms, x.on_conflict, x.key_template,
	x.group_name, :now
FROM JSON_TABLE(:limits, '$[*]' COLUMNS (
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	position int PATH '$.position',
	slots int PATH '$.slots',
	duration_ms bigint PATH '$.duration_ms',
	on_conflict varchar(255) CHARACTER SET utf8mb4 PATH '$.on_conflict',
	key_template longtext CHARACTER SET utf8mb4 PATH '$.key_template',
	group_name varchar(255) CHARACTER SET utf8mb4 PATH '$.group_name')) x
WHERE NOT EXISTS (SELECT 1 FROM dray_limits known WHERE known.class_name = x.class_name)
ORDER BY x.class_name, x.position
ON DUPLICATE KEY UPDATE dray_limits.slots = dray_limits.slots;
