-- schema_keys(schema) -> table, columns, definition
-- The foreign keys of our tables in the words of schema/manifest.txt.
-- read
-- rows
SELECT
	name,
	'(' || group_concat(child, ',') || ')',
	parent || ' (' || group_concat(parent_column, ',') || ') on delete ' || lower(on_delete)
FROM (
	SELECT
		m.name,
		f.id,
		f."from" AS child,
		f."table" AS parent,
		COALESCE(f."to", 'id') AS parent_column,
		f.on_delete
	FROM sqlite_master m
	JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table'
	AND (substr(m.name, 1, 12) = 'solid_queue_' OR substr(m.name, 1, 5) = 'dray_')
	ORDER BY m.name, f.id, f.seq
)
GROUP BY name, id, parent, on_delete
ORDER BY name, id;
