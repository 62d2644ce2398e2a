-- The ends x of runs that :failures tells, each with its claim c, as long as that is there.
JSON_TABLE(:failures, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at', attempt int PATH '$.attempt',
	began_at datetime(6) PATH '$.began_at', ended_at datetime(6) PATH '$.ended_at',
	cpu_us bigint PATH '$.cpu_us', peak_memory bigint PATH '$.peak_memory',
	due datetime(6) PATH '$.due', outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome',
	payload longtext CHARACTER SET utf8mb4 PATH '$.payload',
	error longtext CHARACTER SET utf8mb4 PATH '$.error',
	error_group varchar(8) CHARACTER SET utf8mb4 PATH '$.error_group')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
