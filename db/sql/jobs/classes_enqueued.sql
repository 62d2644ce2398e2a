-- classes_enqueued() -> name
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
