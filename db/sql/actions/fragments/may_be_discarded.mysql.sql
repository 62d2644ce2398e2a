-- The job j is neither finished nor in progress.
j.finished_at IS NULL
AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL
