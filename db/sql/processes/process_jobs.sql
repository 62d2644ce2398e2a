-- process_jobs(name) -> job_id, class_name
-- Lists the jobs that the process with this name has claimed.
-- read
-- rows
SELECT c.job_id, j.class_name
FROM solid_queue_processes p
{join} solid_queue_claimed_executions c ON c.process_id = p.id
{join} solid_queue_jobs j ON j.id = c.job_id
WHERE p.name = :name
ORDER BY c.job_id;
