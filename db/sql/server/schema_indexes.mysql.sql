-- schema_indexes(schema) -> table, index, definition
-- The indexes of our tables, primary keys left out, in the words of schema/manifest.txt. What
-- makes an index differ from a plain one follows its columns.
-- read
-- rows
SELECT
	table_name,
	index_name,
	CONCAT(
		CASE WHEN MIN(non_unique) = 0 THEN 'unique ' ELSE '' END,
		'(',
		GROUP_CONCAT(
			CONCAT(
				COALESCE(column_name, 'an expression'),
				CASE WHEN sub_part IS NULL THEN '' ELSE CONCAT('(', sub_part, ')') END,
				CASE WHEN collation = 'D' THEN ' desc' ELSE '' END
			)
			ORDER BY seq_in_index SEPARATOR ', '
		),
		')',
		CASE WHEN MIN(index_type) = 'BTREE' THEN '' ELSE CONCAT(' using ', MIN(index_type)) END
	)
FROM information_schema.statistics
WHERE table_schema = DATABASE()
AND index_name <> 'PRIMARY'
AND (LEFT(table_name, 12) = 'solid_queue_' OR LEFT(table_name, 5) = 'dray_')
GROUP BY table_name, index_name
ORDER BY table_name, index_name;
