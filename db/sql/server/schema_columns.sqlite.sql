-- schema_columns(schema) -> table, column, definition
-- The columns of our tables in the words of schema/manifest.txt. An id without AUTOINCREMENT is
-- not the same: SQLite would give the ids of deleted claims out again.
-- read
-- rows
SELECT
	m.name,
	c.name,
	CASE
		WHEN c.pk > 0 AND lower(m.sql) LIKE '%autoincrement%' THEN 'id'
		WHEN lower(c.type) = 'datetime(6)' THEN 'datetime'
		ELSE replace(lower(c.type), 'varchar', 'string')
	END
	|| CASE WHEN c."notnull" THEN ' not null' ELSE '' END
	|| CASE
		WHEN c.dflt_value IS NULL THEN ''
		WHEN lower(c.type) <> 'boolean' THEN ' default ' || c.dflt_value
		WHEN lower(c.dflt_value) IN ('1', 'true') THEN ' default true'
		ELSE ' default false'
	END
FROM sqlite_master m
JOIN pragma_table_info(m.name) c
WHERE m.type = 'table'
AND (
	substr(m.name, 1, 12) = 'solid_queue_' OR substr(m.name, 1, 5) = 'dray_'
	OR m.name = 'schema_migrations'
)
ORDER BY m.name, c.cid;
