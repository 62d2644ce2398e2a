-- Joins the job j whose id is {it}. OFFSET 0 makes PostgreSQL look up one job after the other by its
-- id, however many it expects.
CROSS JOIN LATERAL (
	SELECT id, queue_name, class_name, priority, concurrency_key FROM solid_queue_jobs
	WHERE solid_queue_jobs.id = {it} OFFSET 0) j
