-- claimable(queues, process_id) -> paused, queue_name, priority, job_id, position
-- The queues that have ready jobs and are not paused, each with the priority and number of its
-- next job and its position in a worker's list ([{"position", "name", "prefix"}]; null if it is not
-- there; 0 if the list is null, of all), and what is paused as claim says it.
-- Hops from name to name through the index, so that
-- its cost grows with the queues and not with the jobs. Always one row at least; no queue for a
-- process that is paused.
-- read
-- rows
WITH RECURSIVE queue (name) AS (
	SELECT min(queue_name) FROM solid_queue_ready_executions
	UNION ALL
	SELECT (SELECT min(r.queue_name) FROM solid_queue_ready_executions r
		WHERE r.queue_name > queue.name)
	FROM queue WHERE queue.name IS NOT NULL
)
SELECT p.paused, queue.name,
	(SELECT r.priority FROM solid_queue_ready_executions r
		WHERE r.queue_name = queue.name ORDER BY r.priority, r.job_id LIMIT 1),
	(SELECT r.job_id FROM solid_queue_ready_executions r
		WHERE r.queue_name = queue.name ORDER BY r.priority, r.job_id LIMIT 1),
	CASE WHEN :queues::json IS NULL THEN 0 ELSE (SELECT min(x.position)
		FROM json_to_recordset(:queues::json) AS x(position bigint, name text, prefix integer)
		WHERE x.name = queue.name
			OR (x.prefix = 1 AND left(queue.name, length(x.name)) = x.name)) END
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN queue ON queue.name IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = queue.name)
	AND NOT {include:a_pattern_pauses queue.name}
	AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
ORDER BY queue.name;
