-- queue_heads() -> queue, priority, job_id, since
-- The first ready job of each priority of each queue, in the order of the queues, and since when it
-- is ready. Nothing of a queue that is paused, nor where the first job is of a class that is.

-- @mysql
-- The MIN of a priority is one hop through the index: the cost grows with the queues and not with
-- the jobs.
-- read
-- rows
SELECT r.queue_name, r.priority, r.job_id, r.created_at
FROM (SELECT n.queue_name, n.priority, MIN(n.job_id) AS job_id
	FROM solid_queue_ready_executions n FORCE INDEX (index_solid_queue_poll_by_queue)
	GROUP BY n.queue_name, n.priority) h
STRAIGHT_JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = h.job_id
WHERE {include:queue_is_not_paused r.queue_name} AND {include:class_is_not_paused}
ORDER BY r.queue_name, r.priority;

-- @postgresql @sqlite
-- It hops from priority to priority through the index: the cost grows with the queues and not with
-- the jobs.
-- read
-- rows
WITH RECURSIVE head (job_id) AS (
	SELECT (SELECT n.job_id FROM solid_queue_ready_executions n
		ORDER BY n.queue_name, n.priority, n.job_id LIMIT 1)
	UNION ALL
	SELECT (SELECT n.job_id FROM solid_queue_ready_executions n
		WHERE (n.queue_name, n.priority) > (r.queue_name, r.priority)
		ORDER BY n.queue_name, n.priority, n.job_id LIMIT 1)
	FROM head h JOIN solid_queue_ready_executions r ON r.job_id = h.job_id
)
SELECT r.queue_name, r.priority, r.job_id, r.created_at
FROM head h JOIN solid_queue_ready_executions r ON r.job_id = h.job_id
WHERE {include:queue_is_not_paused r.queue_name} AND {include:class_is_not_paused}
ORDER BY r.queue_name, r.priority;
