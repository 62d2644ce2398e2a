-- blocked_missing(limit) -> job_id
-- Lists jobs that wait for a slot and do not exist.
-- read
-- rows
SELECT b.job_id FROM solid_queue_blocked_executions b
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = b.job_id) IS NULL LIMIT :limit;
