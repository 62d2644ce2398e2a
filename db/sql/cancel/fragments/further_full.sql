-- The further keys of the jobs in `fresh` that are full, where their limits cancel, too.
SELECT n.concurrency_key, fresh.class_name, max(fresh.job_id)
FROM fresh JOIN dray_keys n ON n.job_id = fresh.job_id
JOIN dray_classes l ON l.class_name = fresh.class_name AND l.position = n.position
	AND l.on_conflict = 'cancel_running'
JOIN solid_queue_semaphores f ON f.key = n.concurrency_key AND f.value <= 0
GROUP BY n.concurrency_key, fresh.class_name
