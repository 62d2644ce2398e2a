-- queues_unpaused() -> name
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
