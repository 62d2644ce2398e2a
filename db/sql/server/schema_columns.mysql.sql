-- schema_columns(schema) -> table, column, definition
-- The columns of our tables in the words of schema/manifest.txt. MariaDB writes the absence of a
-- default as the text NULL.
-- read
-- rows
SELECT
	table_name,
	column_name,
	CONCAT(
		CASE
			WHEN data_type = 'bigint' AND extra LIKE '%auto_increment%' THEN 'id'
			WHEN data_type = 'varchar' AND character_maximum_length = 255 THEN 'string'
			WHEN data_type = 'varchar' THEN CONCAT('string(', character_maximum_length, ')')
			WHEN data_type = 'int' THEN 'integer'
			WHEN column_type = 'tinyint(1)' THEN 'boolean'
			WHEN data_type = 'datetime' AND datetime_precision <> 6
				THEN CONCAT('datetime(', datetime_precision, ')')
			ELSE data_type
		END,
		CASE WHEN column_type LIKE '%unsigned%' THEN ' unsigned' ELSE '' END,
		CASE WHEN is_nullable = 'NO' THEN ' not null' ELSE '' END,
		CASE
			WHEN column_default IS NULL OR column_default = 'NULL' THEN ''
			WHEN column_type <> 'tinyint(1)' THEN CONCAT(' default ', column_default)
			WHEN column_default = '1' THEN ' default true'
			ELSE ' default false'
		END
	)
FROM information_schema.columns
WHERE table_schema = DATABASE()
AND (
	LEFT(table_name, 12) = 'solid_queue_' OR LEFT(table_name, 5) = 'dray_'
	OR table_name = 'schema_migrations'
)
ORDER BY table_name, ordinal_position;
