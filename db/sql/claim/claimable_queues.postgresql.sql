-- claimable_queues(queues, process_id) -> paused, queue_name, priority, job_id, position
-- The queues that have ready jobs and are not paused, each with the priority and number of its next
-- job and its position in a worker's list.
-- The list is [{"position", "name", "prefix"}]; position is null for a queue that is not there, 0 when
-- the list is null, of all queues. paused as claim says it, always in one row at least; no queue for
-- a paused process.
-- It hops from name to name through the index, so that its cost grows with the queues and not with
-- the jobs.
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
	AND {include:queue_is_not_paused queue.name}
	AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
ORDER BY queue.name;
