-- found(jobs, now) -> job_id, active_job_id, oldest, next
-- Finds what an enqueue left of these jobs ([{"active_job_id"}], made at `now`).
-- read
-- rows
SELECT j.id, j.active_job_id, 0, 0
FROM solid_queue_jobs j
WHERE j.active_job_id IN (SELECT value ->> 'active_job_id' FROM json_each(:jobs))
	AND j.created_at = :now
ORDER BY j.id;
