-- limits_publish(limits, classes, now) ->
-- What classes declare: limits is [{"class_name", "position", "slots", "duration_ms",
-- "on_conflict", "key_template", "group_name"}]; of other classes nothing is known, but that these
-- (["Name"]) have no more limits than those given.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.slots, x.duration_ms, x.on_conflict, x.key_template,
	x.group_name, :now
FROM JSON_TABLE(:limits, '$[*]' COLUMNS (
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	position int PATH '$.position',
	slots int PATH '$.slots',
	duration_ms bigint PATH '$.duration_ms',
	on_conflict varchar(255) CHARACTER SET utf8mb4 PATH '$.on_conflict',
	key_template longtext CHARACTER SET utf8mb4 PATH '$.key_template',
	group_name varchar(255) CHARACTER SET utf8mb4 PATH '$.group_name')) x
ORDER BY x.class_name, x.position
ON DUPLICATE KEY UPDATE slots = VALUES(slots), duration_ms = VALUES(duration_ms),
	on_conflict = VALUES(on_conflict), key_template = VALUES(key_template),
	group_name = VALUES(group_name);
DELETE l
FROM JSON_TABLE(:classes, '$[*]' COLUMNS (name varchar(255) {as_jobs} PATH '$')) c
STRAIGHT_JOIN dray_limits l FORCE INDEX (PRIMARY) ON l.class_name = c.name
LEFT JOIN JSON_TABLE(:limits, '$[*]' COLUMNS (
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	position int PATH '$.position')) x
	ON x.class_name = l.class_name AND x.position = l.position
WHERE x.position IS NULL;
