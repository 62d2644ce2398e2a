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
SELECT 0, k.*, EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class') FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND (:classes::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
			) = ANY (ARRAY(SELECT json_array_elements_text(:classes::json))))
		AND (:others::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
			) <> ALL (ARRAY(SELECT json_array_elements_text(:others::json))))
		AND (NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
			OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
				<> ALL (ARRAY(SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')))
		AND (:max_losses::integer IS NULL OR (SELECT lost.job_id FROM dray_losses lost WHERE lost.job_id = r.job_id
			AND lost.losses >= GREATEST(1, COALESCE((
				SELECT x.max_losses FROM json_to_recordset(:bounds::json)
					AS x(class_name text, max_losses integer)
				WHERE x.class_name = (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = lost.job_id)),
				:max_losses::integer))) IS NULL)
		AND NOT EXISTS (SELECT FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
			AND left(:queue, length(t.name) - 1) = left(t.name, -1)
			AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
		AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.*, EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class') FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
		AND NOT EXISTS (SELECT FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
			AND left(:queue, length(t.name) - 1) = left(t.name, -1)
			AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
		AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
	ORDER BY r.priority DESC, r.job_id DESC LIMIT 1) l;
