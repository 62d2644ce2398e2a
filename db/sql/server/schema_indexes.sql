-- schema_indexes(schema) -> catalog
-- The indexes of our tables, primary keys left out, in the words of schema/manifest.txt. What
-- makes an index differ from a plain one follows its columns.
-- read

-- @mysql
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

-- @postgresql
-- rows
SELECT
	c.relname,
	ic.relname,
	CASE WHEN i.indisunique THEN 'unique ' ELSE '' END
	|| '(' || (
		SELECT string_agg(
			COALESCE(a.attname, 'an expression')
				|| CASE WHEN i.indoption[k - 1] & 1 = 1 THEN ' desc' ELSE '' END,
			', ' ORDER BY k
		)
		FROM generate_series(1, i.indnkeyatts) AS k
		LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[k - 1]
	) || ')'
	|| CASE WHEN am.amname = 'btree' THEN '' ELSE ' using ' || am.amname END
	|| COALESCE(' where ' || pg_get_expr(i.indpred, i.indrelid), '')
	|| CASE WHEN i.indisvalid THEN '' ELSE ' invalid' END
FROM pg_index i
JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_class ic ON ic.oid = i.indexrelid
JOIN pg_am am ON am.oid = ic.relam
WHERE NOT i.indisprimary
AND (substr(c.relname, 1, 12) = 'solid_queue_' OR substr(c.relname, 1, 5) = 'dray_')
AND CASE
	WHEN CAST(:schema AS text) IS NULL THEN pg_table_is_visible(c.oid)
	ELSE n.nspname = CAST(:schema AS text)
END
ORDER BY c.relname, ic.relname;

-- @sqlite
-- rows
SELECT
	m.name,
	i.name,
	CASE WHEN i."unique" THEN 'unique ' ELSE '' END
	|| '(' || (
		SELECT group_concat(word, ', ')
		FROM (
			SELECT
				COALESCE(k.name, 'an expression')
					|| CASE WHEN k."desc" THEN ' desc' ELSE '' END AS word
			FROM pragma_index_xinfo(i.name) k
			WHERE k.key
			ORDER BY k.seqno
		)
	) || ')'
	|| CASE WHEN i.partial THEN ' partial' ELSE '' END
FROM sqlite_master m
JOIN pragma_index_list(m.name) i
WHERE m.type = 'table'
AND i.origin <> 'pk'
AND (substr(m.name, 1, 12) = 'solid_queue_' OR substr(m.name, 1, 5) = 'dray_')
ORDER BY m.name, i.name;
