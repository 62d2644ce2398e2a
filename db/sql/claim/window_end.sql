-- window_end(from_priority, from_job, length) -> priority, job_id
-- Where a window ends that begins at a place in the order by priority and age and has so many ready
-- jobs of any kind. No row when there are not so many.
-- read

-- @mysql
-- rows
SELECT r.priority, r.job_id
FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
WHERE r.priority > :from_priority OR (r.priority = :from_priority AND r.job_id >= :from_job)
ORDER BY r.priority, r.job_id LIMIT 1 OFFSET :length;

-- @postgresql @sqlite
-- rows
SELECT priority, job_id FROM solid_queue_ready_executions
WHERE (priority, job_id) >= (:from_priority, :from_job)
ORDER BY priority, job_id LIMIT 1 OFFSET :length;
