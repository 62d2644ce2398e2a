-- Inserts the jobs of :jobs (a JSON array), in order.
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT value ->> 'queue_name', value ->> 'class_name', value ->> 'arguments',
	value ->> 'priority', value ->> 'active_job_id', value ->> 'scheduled_at',
	value ->> 'concurrency_key', :now, :now
FROM json_each(:jobs) ORDER BY key
