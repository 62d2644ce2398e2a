-- The further keys of the jobs in `fresh` that are full, where their limits cancel, too.
SELECT f.`key`, fresh.class_name, MAX(fresh.job_id)
FROM fresh
STRAIGHT_JOIN dray_keys n FORCE INDEX (PRIMARY) ON n.job_id = fresh.job_id
STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = fresh.class_name AND l.position = n.position AND l.on_conflict = 'cancel_running'
STRAIGHT_JOIN solid_queue_semaphores f FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON f.`key` = n.concurrency_key AND f.value <= 0
GROUP BY f.`key`, fresh.class_name
