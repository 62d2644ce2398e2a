-- job_slots(id) -> concurrency_key, created_at
-- Lists the slots that a job holds.
-- read
-- rows
SELECT concurrency_key, created_at FROM dray_slots WHERE job_id = :id;
