-- queues_unpaused() -> name

-- @mysql
-- Lists the queues of all jobs, finished ones too, that nobody has paused by name. GROUP BY
-- makes one hop a queue through the index.
-- read
-- rows
SELECT q.name
FROM (SELECT j.queue_name AS name
	FROM solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_for_filtering)
	GROUP BY j.queue_name) q
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = q.name)
ORDER BY q.name;

-- @postgresql @sqlite
-- Lists the queues of all jobs, finished ones too, that nobody has paused by name. The recursion
-- hops from name to name through the index.
-- read
-- rows
WITH RECURSIVE queue (name) AS (
	SELECT min(queue_name) FROM solid_queue_jobs
	UNION ALL
	SELECT (SELECT min(j.queue_name) FROM solid_queue_jobs j WHERE j.queue_name > queue.name)
	FROM queue WHERE queue.name IS NOT NULL
)
SELECT queue.name FROM queue
WHERE queue.name IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = queue.name)
ORDER BY queue.name;
