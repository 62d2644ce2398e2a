-- job_keys(id) -> concurrency_key
-- The concurrency keys of a job, but for the first, which is in the job's own row.
-- read
-- rows
SELECT concurrency_key FROM dray_keys WHERE job_id = :id ORDER BY position;
