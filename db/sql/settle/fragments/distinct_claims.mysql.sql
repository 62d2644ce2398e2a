-- The claims c that :claims names, each once.
(SELECT DISTINCT x.id, x.job_id, x.process_id, x.created_at
	FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
		job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
		created_at datetime(6) PATH '$.created_at')) x) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
