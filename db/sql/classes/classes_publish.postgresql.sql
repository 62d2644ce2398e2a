-- classes_publish(classes, now) ->
-- Records what classes declare: [{"class_name", "position", "max_losses", "lost_end", "slots", "duration_ms",
-- "on_conflict", "key_template", "group_name", "own_rows"}]. The row of a class with position 0 has its
-- policies and its first limit, if it has one, the others are further limits; own_rows, which only it
-- has, says how many they are. Further rows of these classes go; other classes keep what they have.
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
