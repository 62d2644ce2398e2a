-- ahead(queue, priority, id, most) -> jobs
-- How many ready jobs of a queue come before this one; counts to `most` only.
-- read
-- rows
SELECT count(*) FROM (SELECT r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND r.priority <= :priority
		AND (r.priority < :priority OR r.job_id < :id)
	ORDER BY r.priority, r.job_id LIMIT :most) a;
