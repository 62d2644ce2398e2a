-- walk_end(from_priority, from_job, length) -> priority, job_id
-- So many ready jobs from a place on in the order by priority and age: where that part ends. No row
-- when there are not so many.
-- read
-- rows
SELECT priority, job_id FROM solid_queue_ready_executions
WHERE (priority, job_id) >= (:from_priority, :from_job)
ORDER BY priority, job_id LIMIT 1 OFFSET :length;
