-- jobs_failed(queue, class_name, key, text, error_group, since, until, after, before, limit) -> job_row
-- Lists the newest (under its second name the oldest) failed jobs between two ids.
-- also jobs_failed_oldest
-- read
-- rows
SELECT {include:job_row}, 'failed', e.error, e.created_at, NULL
FROM solid_queue_failed_executions e {index:index_solid_queue_failed_executions_on_job_id}
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = e.job_id
WHERE e.job_id > :after AND e.job_id < :before
	AND {include:job_is_wanted}
	AND (:error_group = '' OR {include:error_group_of} = :error_group)
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!'
		OR lower(e.error) LIKE lower(:text) ESCAPE '!')
ORDER BY e.job_id {newest_first} LIMIT :limit;
