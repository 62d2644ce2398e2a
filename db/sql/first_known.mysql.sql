-- first_known(queue, classes, from_priority, from_job) -> last, priority, job_id
-- Where the first ready job of these classes (a JSON array) stands in a queue, at or behind a place
-- in its order, if there is one; and where the queue's last job stands (last = 1). Nothing of a
-- queue that is paused.
-- read
-- rows
SELECT 0, k.priority, k.job_id FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND JSON_CONTAINS(:classes, JSON_QUOTE((
			SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)))
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.priority, l.job_id FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
	ORDER BY r.queue_name DESC, r.priority DESC, r.job_id DESC LIMIT 1) l;
