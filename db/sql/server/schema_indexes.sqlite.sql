-- schema_indexes(schema) -> table, index, definition
-- The indexes of our tables, primary keys left out, in the words of schema/manifest.txt. What
-- makes an index differ from a plain one follows its columns.
-- read
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
