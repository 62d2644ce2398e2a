-- job(id) -> job_row, outcome, losses, max_losses
-- Returns one job, its state, how often it was lost, and how many losses it survives as its class
-- declares.
-- read
-- rows
SELECT {include:job_row},
	{include:any_state},
	COALESCE(l.losses, 0),
	{include:own_bound j.class_name}
FROM solid_queue_jobs j
{include:from_any_state}
LEFT JOIN dray_losses l ON l.job_id = j.id
WHERE j.id = :id;
