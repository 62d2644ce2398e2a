-- first_known(queue, classes, from_priority, from_job) -> last, priority, job_id
-- Where the first ready job of these classes (a JSON array) stands in a queue, at or behind a place
-- in its order, if there is one; and where the queue's last job stands (last = 1). Nothing of a
-- queue that is paused: in LIMIT, because a WHERE that is false would be asked for every row.
-- read
-- rows
SELECT 0, k.* FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = r.job_id
			AND j.class_name IN (SELECT value FROM json_each(:classes)))
	ORDER BY r.priority, r.job_id
	LIMIT (SELECT count(*) = 0 FROM solid_queue_pauses p WHERE p.queue_name = :queue)) k
UNION ALL
SELECT 1, l.* FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
	ORDER BY r.priority DESC, r.job_id DESC
	LIMIT (SELECT count(*) = 0 FROM solid_queue_pauses p WHERE p.queue_name = :queue)) l;
