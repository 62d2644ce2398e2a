-- failures_by_class(most, limit) -> name, count, since
-- Lists the classes with the most failed jobs, among the last `most` that failed and still are.
-- read
-- rows
SELECT {include:exact j.class_name}, count(*), max(f.created_at)
FROM (SELECT e.job_id, e.created_at FROM solid_queue_failed_executions e
	ORDER BY e.id DESC LIMIT :most) f
JOIN solid_queue_jobs j ON j.id = f.job_id
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit;
