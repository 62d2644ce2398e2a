-- job_keys(id) -> concurrency_key
-- The concurrency keys of a job beside its first one.
-- read
-- rows
SELECT concurrency_key FROM dray_keys WHERE job_id = :id ORDER BY position;
