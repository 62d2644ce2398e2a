-- What is paused, and what this process has claimed now; one row at least, for its first column.
SELECT p.paused, c.*
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN (
	SELECT claimed.id AS claim_id, j.*
	FROM claimed JOIN taken USING (job_id) CROSS JOIN LATERAL (
		SELECT {include:claimed_job}
		FROM solid_queue_jobs j WHERE j.id = claimed.job_id OFFSET 0) j
) c ON true
ORDER BY c.priority, c.id
