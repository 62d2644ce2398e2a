-- claim_rival(claim, job_id) -> number_job, job_process, job_id, finished_at, failed_job, run, cancelled
-- Tells why a claim is gone: the job for which its number stands now, the process that has its
-- job now, and whether the job exists, is finished or has failed, or its history has the claim's
-- run, and what it says of it if that was cancelled. There is always one row.
-- read
-- rows
SELECT c.job_id, o.process_id, j.id, j.finished_at, f.job_id,
	(SELECT h.outcome FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = :job_id AND h.claim_id = :claim AND h.outcome IN ('retried', 'snoozed', 'cancelled') LIMIT 1),
	(SELECT h.error FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = :job_id AND h.claim_id = :claim AND h.outcome = 'cancelled' LIMIT 1)
FROM (SELECT 1 AS one) x
LEFT JOIN solid_queue_claimed_executions c ON c.id = :claim
LEFT JOIN solid_queue_claimed_executions o ON o.job_id = :job_id
LEFT JOIN solid_queue_jobs j ON j.id = :job_id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = :job_id;
