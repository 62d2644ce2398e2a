-- The job {it}.job_id needs several keys and waits under one that has a free slot: slots_follow decides.
((SELECT m.job_id FROM dray_keys m FORCE INDEX (PRIMARY) WHERE m.job_id = {it}.job_id LIMIT 1) IS NOT NULL
	AND (SELECT f.value FROM solid_queue_semaphores f
		FORCE INDEX (index_solid_queue_semaphores_on_key) WHERE f.`key` = {it}.concurrency_key) > 0)
