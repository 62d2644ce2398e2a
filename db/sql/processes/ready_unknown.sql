-- ready_unknown(queue, classes, others, most) -> class_name, ready
-- Counts the first `most` ready jobs of a queue by class: those of the classes (a JSON array; null =
-- all) and of none of the others (another; null = none).
-- read

-- @mysql
-- rows
SELECT (SELECT {include:exact j.class_name} FROM solid_queue_jobs j WHERE j.id = r.job_id) AS class_name, count(*)
FROM (SELECT e.job_id FROM solid_queue_ready_executions e
		FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE e.queue_name = :queue
	ORDER BY e.priority, e.job_id LIMIT :most) r
WHERE {include:class_is_taken false}
GROUP BY 1 ORDER BY 1;

-- @postgresql @sqlite
-- rows
SELECT (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id) AS class_name, count(*)
FROM (SELECT e.job_id FROM solid_queue_ready_executions e WHERE e.queue_name = :queue
	ORDER BY e.priority, e.job_id LIMIT :most) r
WHERE {include:class_is_taken false}
GROUP BY 1 ORDER BY 1;
