-- schema_indexes(schema) -> table, index, definition
-- The indexes of our tables, primary keys left out, in the words of schema/manifest.txt. What
-- makes an index differ from a plain one follows its columns.
-- read
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
