-- first_known(process_id, queue, classes, others, max_losses, bounds, from_priority, from_job) -> last, priority, job_id, paused
-- Where the first ready job of these classes (a JSON array; null = all), of none of the others (another;
-- null = none) and of no paused class
-- stands in a queue, at or behind a place in its order, if there is one; and where the queue's last
-- job stands (last = 1). Unless max_losses is null, jobs are passed that have been lost so often (bounds:
-- [{"class_name", "max_losses"}] for classes that differ).
-- paused: is any class? Nothing of a queue that is paused, nor for a paused
-- process: in LIMIT, because a WHERE that is false would be asked for every row.
-- read
-- rows
SELECT 0, k.*, EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class') FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND {include:class_is_taken}
		AND {include:class_is_not_paused}
		AND {include:not_lost_too_often}
	ORDER BY r.priority, r.job_id
	LIMIT NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND NOT {include:a_pattern_pauses :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)) k
UNION ALL
SELECT 1, l.*, EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class') FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
	ORDER BY r.priority DESC, r.job_id DESC
	LIMIT NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND NOT {include:a_pattern_pauses :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)) l;
