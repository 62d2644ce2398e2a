-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, later ones scheduled. The new rows
-- are found again by their number: one transaction writes at a time, so they are the last ones.
{include:insert_jobs};
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT id, queue_name, priority, :now FROM solid_queue_jobs
WHERE id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
	AND scheduled_at <= :now
ORDER BY id;
{include:schedule_enqueued};
-- rows
SELECT id FROM solid_queue_jobs
WHERE id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
ORDER BY id;
