-- Of the jobs of the claims c for which {it}, makes those ready again that were not lost too
-- often.
{include:insert_ready}
FROM {include:claimed_jobs}
JOIN dray_losses l ON l.job_id = j.id
WHERE {it} AND l.losses <= {include:losses_survived}
{include:unless_there}
