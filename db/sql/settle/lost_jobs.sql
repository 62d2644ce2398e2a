-- lost_jobs(jobs) -> job_id, arguments, losses, runs_before, max_losses, lost_end, class_name, queue_name
-- Tells of these jobs, whose processes are gone, what the history and the end of their runs need.
-- read
-- rows
SELECT j.id, j.arguments, (SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id),
	(SELECT l.runs_before + l.interruptions FROM dray_losses l WHERE l.job_id = j.id),
	declared.max_losses, declared.lost_end, j.class_name, j.queue_name
FROM {include:jobs_named}
{include:declared}
WHERE {include:is_named}
ORDER BY j.id;
