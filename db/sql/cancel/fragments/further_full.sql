-- The further keys of the jobs in `fresh` that are full, where their limits cancel, too, beside the key they
-- wait for; not of those that end for a newer one that has a slot.
SELECT n.concurrency_key, fresh.class_name, fresh.job_id, fresh.concurrency_key AS own
FROM fresh JOIN dray_keys n ON n.job_id = fresh.job_id
JOIN dray_classes l ON l.class_name = fresh.class_name AND l.position = n.position
	AND l.on_conflict = 'cancel_running'
JOIN solid_queue_semaphores f ON f.key = n.concurrency_key AND f.value <= 0
WHERE NOT EXISTS (SELECT 1 FROM dray_slots s
	WHERE s.concurrency_key = fresh.concurrency_key AND s.class_name = fresh.class_name
		AND s.job_id > fresh.job_id AND s.created_at = :now AND NOT {include:was_tried s.job_id})
