-- classes_publish(classes, now) ->
-- Records what classes declare: [{"class_name", "position", "max_losses", "lost_end", "slots", "duration_ms",
-- "on_conflict", "key_template", "group_name", "own_rows"}]. The row of a class with position 0 has its
-- policies and its first limit, if it has one, the others are further limits; own_rows, which only it
-- has, says how many they are. Further rows of these classes go; other classes keep what they have.

-- @mysql
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

-- @postgresql
{include:insert_classes}
ORDER BY x.class_name, x.position
ON CONFLICT (class_name, position) DO UPDATE SET max_losses = excluded.max_losses,
	lost_end = excluded.lost_end,
	slots = excluded.slots, duration_ms = excluded.duration_ms,
	on_conflict = excluded.on_conflict, key_template = excluded.key_template,
	group_name = excluded.group_name, updated_at = excluded.updated_at
WHERE (known.max_losses, known.lost_end, known.slots, known.duration_ms, known.on_conflict, known.key_template,
		known.group_name)
	IS DISTINCT FROM (excluded.max_losses, excluded.lost_end, excluded.slots, excluded.duration_ms,
		excluded.on_conflict, excluded.key_template, excluded.group_name);
DELETE FROM dray_classes known
USING json_to_recordset(:classes::json) AS x(class_name text, own_rows integer)
WHERE known.class_name = x.class_name AND known.position >= x.own_rows;

-- @sqlite
{include:insert_classes}
WHERE true
ON CONFLICT (class_name, position) DO UPDATE SET max_losses = excluded.max_losses,
	lost_end = excluded.lost_end,
	slots = excluded.slots, duration_ms = excluded.duration_ms,
	on_conflict = excluded.on_conflict, key_template = excluded.key_template,
	group_name = excluded.group_name, updated_at = excluded.updated_at
WHERE (dray_classes.max_losses, dray_classes.lost_end, dray_classes.slots, dray_classes.duration_ms,
		dray_classes.on_conflict, dray_classes.key_template, dray_classes.group_name)
	IS NOT (excluded.max_losses, excluded.lost_end, excluded.slots, excluded.duration_ms,
		excluded.on_conflict, excluded.key_template, excluded.group_name);
DELETE FROM dray_classes
WHERE (class_name, position) IN (SELECT known.class_name, known.position
	FROM json_each(:classes) x
	CROSS JOIN dray_classes known ON known.class_name = x.value ->> 'class_name'
		AND known.position >= x.value ->> 'own_rows');
