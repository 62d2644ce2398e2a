-- What this process has claimed now.
SELECT c.id AS claim_id, {include:claimed_job}
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now
ORDER BY j.priority, j.id
