-- The ends f of the lost runs that become {it}, each with its claim c and its unfinished job j.
{include:unfinished_runs}
JOIN dray_losses l ON l.job_id = j.id
WHERE {include:lost_outcome} = {it}
