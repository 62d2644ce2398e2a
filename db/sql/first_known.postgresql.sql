-- first_known(queue, classes, from_priority, from_job) -> last, priority, job_id
-- Where the first ready job of these classes (a JSON array) stands in a queue, at or behind a place
-- in its order, if there is one; and where the queue's last job stands (last = 1). Nothing of a
-- queue that is paused.
-- read
-- rows
SELECT 0, k.* FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
			) = ANY (ARRAY(SELECT json_array_elements_text(:classes::json)))
		AND NOT EXISTS (SELECT FROM solid_queue_pauses p WHERE p.queue_name = :queue)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.* FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
		AND NOT EXISTS (SELECT FROM solid_queue_pauses p WHERE p.queue_name = :queue)
	ORDER BY r.priority DESC, r.job_id DESC LIMIT 1) l;
