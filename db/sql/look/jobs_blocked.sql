-- jobs_blocked(queue, class_name, key, text, since, until, after, before, limit) -> job_row
-- Lists the newest (under its second name the oldest) blocked jobs between two ids.
-- also jobs_blocked_oldest
-- read
-- rows
SELECT {include:job_row}, 'blocked', NULL, e.created_at, NULL
FROM solid_queue_blocked_executions e {index:index_solid_queue_blocked_executions_on_job_id}
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = e.job_id
WHERE e.job_id > :after AND e.job_id < :before
	AND {include:job_is_wanted}
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
ORDER BY e.job_id {newest_first} LIMIT :limit;
