-- jobs_ready(queue, class_name, key, text, since, until, after, before, limit) -> job_row
-- Lists the newest (under its second name the oldest) ready jobs between two ids.
-- also jobs_ready_oldest
-- read
-- rows
SELECT {include:job_row}, 'ready', NULL, e.created_at, NULL
FROM solid_queue_ready_executions e {index:index_solid_queue_ready_executions_on_job_id}
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = e.job_id
WHERE e.job_id > :after AND e.job_id < :before
	AND {include:job_is_wanted}
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
ORDER BY e.job_id {newest_first} LIMIT :limit;
