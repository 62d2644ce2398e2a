-- schema_keys(schema) -> catalog
-- The foreign keys of our tables in the words of schema/manifest.txt.
-- read

-- @mysql
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

-- @postgresql
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

-- @sqlite
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
