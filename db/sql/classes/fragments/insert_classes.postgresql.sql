-- Inserts what classes declare, from :classes, into dray_classes.
INSERT INTO dray_classes AS known (class_name, position, max_losses, lost_end, slots, duration_ms,
	on_conflict, key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.max_losses, x.lost_end, x.slots, x.duration_ms, x.on_conflict,
	x.key_template, x.group_name, :now::timestamp
FROM json_to_recordset(:classes::json) AS x(class_name text, position integer, max_losses integer, lost_end text,
	slots integer, duration_ms bigint, on_conflict text, key_template text, group_name text)
