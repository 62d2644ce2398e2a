-- first_known(process_id, queue, classes, others, max_losses, bounds, from_priority, from_job) -> last, priority, job_id, paused
-- Where the first ready job of these classes (a JSON array; null = all), of none of the others (another;
-- null = none) and of no paused class
-- stands in a queue, at or behind a place in its order, if there is one; and where the queue's last
-- job stands (last = 1). Unless max_losses is null, jobs are passed that have been lost so often (bounds:
-- [{"class_name", "max_losses"}] for classes that differ).
-- paused: is any class? Nothing of a queue that is paused, nor for a paused
-- process.
-- read
-- rows
SELECT 0, k.priority, k.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind = 'class') FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND {include:class_is_taken}
		AND {include:class_is_not_paused}
		AND {include:not_lost_too_often}
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND {include:no_pattern_pauses :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.priority, l.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind = 'class') FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND {include:no_pattern_pauses :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.queue_name DESC, r.priority DESC, r.job_id DESC LIMIT 1) l;
