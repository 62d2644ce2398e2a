-- ahead(queue, priority, id, most) -> jobs
-- Counts the ready jobs of a queue that come before this one, up to `most`.
-- read
-- rows
SELECT count(*) FROM (SELECT r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND r.priority <= :priority
		AND (r.priority < :priority OR r.job_id < :id)
	ORDER BY r.priority, r.job_id LIMIT :most) a;
