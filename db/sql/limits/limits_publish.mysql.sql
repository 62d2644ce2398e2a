-- limits_publish(limits, classes, now) ->
-- Records what classes declare about concurrency: limits is [{"class_name", "position", "slots",
-- "duration_ms", "on_conflict", "key_template", "group_name"}]. The classes that are named
-- (["Name"]) lose every limit that is not among these; other classes keep what they have.
{include:insert_limits CHARACTER SET utf8mb4}
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
