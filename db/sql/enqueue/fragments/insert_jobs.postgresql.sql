-- Inserts the jobs of :jobs (a JSON array), in order.
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT x.queue_name, x.class_name, x.arguments, x.priority, x.active_job_id,
	x.scheduled_at, x.concurrency_key, :now::timestamp, :now::timestamp
FROM json_to_recordset(:jobs::json) AS x(position bigint, queue_name text, class_name text,
	arguments text, priority integer, active_job_id text, scheduled_at timestamp,
	concurrency_key text)
ORDER BY x.position
