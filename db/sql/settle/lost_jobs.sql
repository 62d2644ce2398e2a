-- lost_jobs(jobs) -> job_id, arguments, losses, runs_before, lost_end
-- Tells of these jobs, whose processes are gone, what the history and the end of their runs need.
-- read
-- rows
SELECT j.id, j.arguments, (SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id),
	(SELECT l.runs_before + l.interruptions FROM dray_losses l WHERE l.job_id = j.id),
	{include:own_lost_end j.class_name}
FROM {include:jobs_named}
WHERE {include:is_named};
