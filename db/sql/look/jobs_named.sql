-- jobs_named(jobs) -> job_row, outcome, losses
-- Lists those of these jobs that exist.
-- read

-- @mysql
-- rows
SELECT {include:job_row},
	{include:any_state},
	COALESCE(l.losses, 0)
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
{include:from_any_state}
LEFT JOIN dray_losses l ON l.job_id = j.id;

-- @postgresql @sqlite
-- rows
SELECT {include:job_row},
	{include:any_state},
	COALESCE(l.losses, 0)
FROM solid_queue_jobs j
{include:from_any_state}
LEFT JOIN dray_losses l ON l.job_id = j.id
WHERE j.id {in:jobs};
