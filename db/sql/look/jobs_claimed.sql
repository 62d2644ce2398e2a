-- jobs_claimed(queue, class_name, key, text, since, until, after, before, limit) -> job_row, outcome
-- Lists the newest (under its second name the oldest) claimed jobs between two ids.
-- also jobs_claimed_oldest
-- read
-- rows
SELECT {include:job_row}, 'claimed', NULL, e.created_at, e.process_id,
	CASE WHEN k.job_id IS NOT NULL THEN 'cancelling' END
FROM solid_queue_claimed_executions e {index:index_solid_queue_claimed_executions_on_job_id}
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = e.job_id
LEFT JOIN dray_cancellations k {index:PRIMARY} ON k.job_id = e.job_id AND k.claim_id = e.id
WHERE e.job_id > :after AND e.job_id < :before
	AND {include:job_is_wanted}
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
ORDER BY e.job_id {newest_first} LIMIT :limit;
