-- Inserts what classes declare, from :classes, into dray_classes.
INSERT INTO dray_classes (class_name, position, max_losses, lost_end, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.value ->> 'class_name', x.value ->> 'position', x.value ->> 'max_losses',
	x.value ->> 'lost_end',
	x.value ->> 'slots', x.value ->> 'duration_ms', x.value ->> 'on_conflict',
	x.value ->> 'key_template', x.value ->> 'group_name', :now
FROM json_each(:classes) x
