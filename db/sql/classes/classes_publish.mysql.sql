-- classes_publish(classes, now) ->
-- Records what classes declare: [{"class_name", "position", "max_losses", "lost_end", "slots", "duration_ms",
-- "on_conflict", "key_template", "group_name", "own_rows"}]. The row of a class with position 0 has its
-- policies and its first limit, if it has one, the others are further limits; own_rows, which only it
-- has, says how many they are. Further rows of these classes go; other classes keep what they have.
{include:insert_classes CHARACTER SET utf8mb4}
ORDER BY x.class_name, x.position
ON DUPLICATE KEY UPDATE max_losses = VALUES(max_losses), lost_end = VALUES(lost_end), slots = VALUES(slots),
	duration_ms = VALUES(duration_ms), on_conflict = VALUES(on_conflict),
	key_template = VALUES(key_template), group_name = VALUES(group_name);
DELETE l
FROM JSON_TABLE(:classes, '$[*]' COLUMNS (
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	own_rows int PATH '$.own_rows')) c
STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY) ON l.class_name = c.class_name
	AND l.position >= c.own_rows;
