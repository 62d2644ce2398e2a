-- claimable_queues(queues, process_id) -> paused, queue_name, priority, job_id, position
-- The queues that have ready jobs and are not paused, each with the priority and number of its next
-- job and its position in a worker's list.
-- The list is [{"position", "name", "prefix"}]; position is null for a queue that is not there, 0 when
-- the list is null, of all queues. paused as claim says it, always in one row at least; no queue for
-- a paused process.

-- @mysql
-- The MIN of a queue is one hop through the index, and the next job one look, because its order is
-- the index's: the cost grows with the queues and not with the jobs.
-- read
-- rows
SELECT p.paused, q.name, q.priority,
	(SELECT r.job_id FROM solid_queue_ready_executions r
			FORCE INDEX (index_solid_queue_poll_by_queue)
		WHERE r.queue_name = q.name AND r.priority = q.priority
		ORDER BY r.queue_name, r.priority, r.job_id LIMIT 1),
	CASE WHEN :queues IS NULL THEN 0 ELSE (
		SELECT MIN(x.position) FROM JSON_TABLE(:queues, '$[*]' COLUMNS (
			position int PATH '$.position',
			name varchar(255) {as_jobs} PATH '$.name',
			prefix int PATH '$.prefix')) x
		WHERE x.name = q.name
			OR (x.prefix = 1 AND LEFT(q.name, CHAR_LENGTH(x.name)) = x.name)) END
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN (
	SELECT r.queue_name AS name, MIN(r.priority) AS priority
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	GROUP BY r.queue_name) q
ON {include:queue_is_not_paused q.name}
	AND NOT EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
ORDER BY q.name;

-- @postgresql
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

-- @sqlite
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
	CASE WHEN :queues IS NULL THEN 0 ELSE (SELECT min(value ->> 'position') FROM json_each(:queues)
		WHERE value ->> 'name' = queue.name OR (value ->> 'prefix' = 1
			AND substr(queue.name, 1, length(value ->> 'name')) = value ->> 'name')) END
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN queue ON queue.name IS NOT NULL
	AND {include:queue_is_not_paused queue.name}
	AND NOT EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
ORDER BY queue.name;
