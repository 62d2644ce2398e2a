-- The concurrency keys of the JSON array {it} ([{"key"}]) as a table in which each stands once; its
-- column is name.
(SELECT DISTINCT x.name FROM JSON_TABLE({it}, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key')) x)
