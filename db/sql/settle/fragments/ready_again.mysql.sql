-- The unfinished jobs of the claims {it} are ready again.
{include:insert_ready}
FROM {include:claimed_jobs {it}}
{include:unless_there}
