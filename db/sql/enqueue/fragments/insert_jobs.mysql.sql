-- Inserts the jobs of :jobs (a JSON array), in order.
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT x.queue_name, x.class_name, x.arguments, x.priority, x.active_job_id,
	x.scheduled_at, x.concurrency_key, :now, :now
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	position FOR ORDINALITY,
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	priority int PATH '$.priority',
	active_job_id varchar(255) CHARACTER SET utf8mb4 PATH '$.active_job_id',
	scheduled_at datetime(6) PATH '$.scheduled_at',
	concurrency_key varchar(255) CHARACTER SET utf8mb4 PATH '$.concurrency_key')) x
ORDER BY x.position
