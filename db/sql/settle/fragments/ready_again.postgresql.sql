-- Makes the unfinished jobs of the claims in `done` ready again.
{include:insert_ready}
FROM done CROSS JOIN LATERAL (
	SELECT id, queue_name, priority FROM solid_queue_jobs
	WHERE solid_queue_jobs.id = done.job_id AND finished_at IS NULL OFFSET 0) j
{include:unless_there}
