-- schema_keys(schema) -> table, columns, definition
-- The foreign keys of our tables in the words of schema/manifest.txt.
-- read
-- rows
SELECT
	c.relname,
	'(' || (
		SELECT string_agg(a.attname, ',' ORDER BY k)
		FROM generate_subscripts(f.conkey, 1) AS k
		JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[k]
	) || ')',
	p.relname || ' (' || (
		SELECT string_agg(a.attname, ',' ORDER BY k)
		FROM generate_subscripts(f.confkey, 1) AS k
		JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = f.confkey[k]
	) || ') on delete '
	|| CASE f.confdeltype
		WHEN 'c' THEN 'cascade'
		WHEN 'r' THEN 'restrict'
		WHEN 'n' THEN 'set null'
		WHEN 'd' THEN 'set default'
		ELSE 'no action'
	END
	|| CASE WHEN f.convalidated THEN '' ELSE ' not validated' END
FROM pg_constraint f
JOIN pg_class c ON c.oid = f.conrelid
JOIN pg_class p ON p.oid = f.confrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE f.contype = 'f'
AND (substr(c.relname, 1, 12) = 'solid_queue_' OR substr(c.relname, 1, 5) = 'dray_')
AND CASE
	WHEN CAST(:schema AS text) IS NULL THEN pg_table_is_visible(c.oid)
	ELSE n.nspname = CAST(:schema AS text)
END
ORDER BY c.relname, f.conname;
