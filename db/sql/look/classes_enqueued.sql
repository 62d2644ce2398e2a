-- classes_enqueued() -> name

-- @mysql
-- Lists the classes of all jobs that there are, finished ones too: at most 1,000. GROUP BY makes
-- one hop a class through the index.
-- read
-- rows
SELECT j.class_name
FROM solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_class_name)
GROUP BY j.class_name LIMIT 1000;

-- @postgresql @sqlite
-- Lists the classes of all jobs that there are, finished ones too: at most 1,000. The recursion
-- hops from name to name through the index.
-- read
-- rows
WITH RECURSIVE class (name, place) AS (
	SELECT min(class_name), 1 FROM solid_queue_jobs
	UNION ALL
	SELECT (SELECT min(j.class_name) FROM solid_queue_jobs j WHERE j.class_name > class.name),
		class.place + 1
	FROM class WHERE class.name IS NOT NULL AND class.place < 1000
)
SELECT class.name FROM class WHERE class.name IS NOT NULL ORDER BY class.name;
