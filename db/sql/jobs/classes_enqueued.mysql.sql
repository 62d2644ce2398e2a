-- classes_enqueued() -> name
-- Lists the classes of all jobs that there are, finished ones too: at most 1,000. GROUP BY makes
-- one hop a class through the index.
-- read
-- rows
SELECT j.class_name
FROM solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_class_name)
GROUP BY j.class_name LIMIT 1000;
