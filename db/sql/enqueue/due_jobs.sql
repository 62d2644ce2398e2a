-- due_jobs(limit, now) -> job_id, limited
-- Lists the next due jobs that are not set aside, those that do not exist, too: limited is null for
-- these, otherwise it says whether the job has a concurrency key.
-- read
-- rows
SELECT s.job_id, CASE WHEN j.id IS NULL THEN NULL WHEN j.concurrency_key IS NULL THEN 0 ELSE 1 END
FROM solid_queue_scheduled_executions s
LEFT JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.scheduled_at <= :now AND {include:is_not_set_aside s.job_id}
ORDER BY s.scheduled_at, s.priority, s.job_id LIMIT :limit;
