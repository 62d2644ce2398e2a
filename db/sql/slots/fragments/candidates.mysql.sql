-- The jobs in @dray_candidates as a table: id is that of the blocked row.
JSON_TABLE(@dray_candidates, '$[*]' COLUMNS (
	id bigint PATH '$.id', job_id bigint PATH '$.job_id', priority int PATH '$.priority'))
