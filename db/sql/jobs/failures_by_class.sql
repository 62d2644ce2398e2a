-- failures_by_class(most, limit) -> class_name, failed, last_failed_at
-- Of the last `most` jobs that failed and are failed still: the classes with the most of them.
-- read
-- rows
SELECT j.class_name, count(*), max(f.created_at)
FROM (SELECT e.job_id, e.created_at FROM solid_queue_failed_executions e
	ORDER BY e.id DESC LIMIT :most) f
JOIN solid_queue_jobs j ON j.id = f.job_id
GROUP BY j.class_name ORDER BY 2 DESC, 1 LIMIT :limit;
