-- The columns of a job j as the operator sees it.
j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at
