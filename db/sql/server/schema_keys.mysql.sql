-- schema_keys(schema) -> table, columns, definition
-- The foreign keys of our tables in the words of schema/manifest.txt.
-- read
-- rows
SELECT
	r.table_name,
	CONCAT('(', GROUP_CONCAT(k.column_name ORDER BY k.ordinal_position), ')'),
	CONCAT(
		r.referenced_table_name,
		' (',
		GROUP_CONCAT(k.referenced_column_name ORDER BY k.ordinal_position),
		') on delete ',
		LOWER(r.delete_rule)
	)
FROM information_schema.referential_constraints r
JOIN information_schema.key_column_usage k
	ON k.constraint_schema = r.constraint_schema
	AND k.constraint_name = r.constraint_name
	AND k.table_name = r.table_name
WHERE r.constraint_schema = DATABASE()
AND (LEFT(r.table_name, 12) = 'solid_queue_' OR LEFT(r.table_name, 5) = 'dray_')
GROUP BY r.table_name, r.constraint_name, r.referenced_table_name, r.delete_rule
ORDER BY r.table_name, r.constraint_name;
