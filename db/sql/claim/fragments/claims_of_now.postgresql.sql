-- What this process has claimed now.
SELECT claimed.id AS claim_id, j.*
FROM claimed JOIN taken USING (job_id) CROSS JOIN LATERAL (
	SELECT {include:claimed_job}
	FROM solid_queue_jobs j WHERE j.id = claimed.job_id OFFSET 0) j
ORDER BY j.priority, j.id
