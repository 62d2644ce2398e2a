-- classes_enqueued() -> name
-- The classes of all jobs that there are, also finished ones: at most 1,000. GROUP BY is one hop a
-- class through the index.
-- read
-- rows
SELECT j.class_name
FROM solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_class_name)
GROUP BY j.class_name LIMIT 1000;
