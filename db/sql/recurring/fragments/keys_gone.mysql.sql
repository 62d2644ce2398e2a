-- The keys in the table {it} that are not among :keys. Both lists are grouped, for a JSON_TABLE
-- has no index: joined they would be compared each with each.
(SELECT name FROM (
	SELECT task_key AS name, 0 AS stays FROM {it}
	UNION ALL
	SELECT x.name, 1 FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$')) x) listed
	GROUP BY name HAVING max(stays) = 0) gone
