-- Inserts what classes declare, from :limits, into dray_limits; {it} says what text the class
-- names are: only stored, or also compared.
INSERT INTO dray_limits (class_name, position, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.slots, x.duration_ms, x.on_conflict, x.key_template,
	x.group_name, :now
FROM JSON_TABLE(:limits, '$[*]' COLUMNS (
	class_name varchar(255) {it} PATH '$.class_name',
	position int PATH '$.position',
	slots int PATH '$.slots',
	duration_ms bigint PATH '$.duration_ms',
	on_conflict varchar(255) CHARACTER SET utf8mb4 PATH '$.on_conflict',
	key_template longtext CHARACTER SET utf8mb4 PATH '$.key_template',
	group_name varchar(255) CHARACTER SET utf8mb4 PATH '$.group_name')) x
