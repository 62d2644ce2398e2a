-- claimable(queues) -> paused, queue_name, priority, job_id, position
-- The queues that have ready jobs and are not paused, each with the priority and number of its
-- next job and its position in a worker's list ([{"position", "name", "prefix"}]; null if it is not
-- there), and whether any queue is paused. The MIN of a queue is one hop through the index, and
-- the next job one look, because its order is the index's: the cost grows with the queues and not
-- with the jobs. Always one row at least.
-- read
-- rows
SELECT p.paused, q.name, q.priority,
	(SELECT r.job_id FROM solid_queue_ready_executions r
			FORCE INDEX (index_solid_queue_poll_by_queue)
		WHERE r.queue_name = q.name AND r.priority = q.priority
		ORDER BY r.queue_name, r.priority, r.job_id LIMIT 1),
	(SELECT MIN(x.position) FROM JSON_TABLE(:queues, '$[*]' COLUMNS (
			position int PATH '$.position',
			name varchar(255) {as_jobs} PATH '$.name',
			prefix int PATH '$.prefix')) x
		WHERE x.name = q.name
			OR (x.prefix = 1 AND LEFT(q.name, CHAR_LENGTH(x.name)) = x.name))
FROM (SELECT EXISTS (SELECT 1 FROM solid_queue_pauses) AS paused) p
LEFT JOIN (
	SELECT r.queue_name AS name, MIN(r.priority) AS priority
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	GROUP BY r.queue_name) q
ON NOT EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = q.name)
ORDER BY q.name;
