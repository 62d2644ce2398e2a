-- What is paused, and what this process has claimed now; one row at least, for its first column.
SELECT p.paused, c.id AS claim_id, {include:claimed_job}
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN solid_queue_claimed_executions c ON c.process_id = :process_id AND c.created_at = :now
LEFT JOIN solid_queue_jobs j ON j.id = c.job_id
ORDER BY j.priority, j.id
