-- schema_columns(schema) -> table, column, definition
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
