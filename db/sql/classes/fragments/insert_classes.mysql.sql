-- Inserts what classes declare, from :classes, into dray_classes; {it} says what text the class
-- names are: only stored, or also compared.
INSERT INTO dray_classes (class_name, position, max_losses, lost_end, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.max_losses, x.lost_end, x.slots, x.duration_ms, x.on_conflict,
	x.key_template, x.group_name, :now
FROM JSON_TABLE(:classes, '$[*]' COLUMNS (
	class_name varchar(255) {it} PATH '$.class_name',
	position int PATH '$.position',
	max_losses int PATH '$.max_losses',
	lost_end longtext CHARACTER SET utf8mb4 PATH '$.lost_end',
	slots int PATH '$.slots',
	duration_ms bigint PATH '$.duration_ms',
	on_conflict varchar(255) CHARACTER SET utf8mb4 PATH '$.on_conflict',
	key_template longtext CHARACTER SET utf8mb4 PATH '$.key_template',
	group_name varchar(255) CHARACTER SET utf8mb4 PATH '$.group_name')) x
