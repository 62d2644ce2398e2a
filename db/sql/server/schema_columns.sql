-- schema_columns(schema) -> catalog

-- @mysql
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

-- @postgresql
-- The columns of our tables in the words of schema/manifest.txt.
-- read
-- rows
SELECT
	relname,
	attname,
	CASE
		WHEN format = 'bigint' AND generated THEN 'id'
		WHEN format = 'timestamp without time zone' THEN 'datetime'
		WHEN format = 'timestamp(6) without time zone' THEN 'datetime'
		ELSE regexp_replace(format, '^character varying', 'string')
	END
	|| CASE WHEN attnotnull THEN ' not null' ELSE '' END
	|| CASE WHEN expression IS NULL OR generated THEN '' ELSE ' default ' || expression END
FROM (
	SELECT
		c.relname,
		a.attnum,
		a.attname,
		a.attnotnull,
		format_type(a.atttypid, a.atttypmod) AS format,
		pg_get_expr(d.adbin, d.adrelid) AS expression,
		a.attidentity <> ''
			OR COALESCE(pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false)
			AS generated
	FROM pg_class c
	JOIN pg_namespace n ON n.oid = c.relnamespace
	JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
	WHERE c.relkind IN ('r', 'p')
	AND (
		substr(c.relname, 1, 12) = 'solid_queue_' OR substr(c.relname, 1, 5) = 'dray_'
		OR c.relname = 'schema_migrations'
	)
	AND CASE
		WHEN CAST(:schema AS text) IS NULL THEN pg_table_is_visible(c.oid)
		ELSE n.nspname = CAST(:schema AS text)
	END
) AS live
ORDER BY relname, attnum;

-- @sqlite
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
