-- Makes the unfinished jobs of the claims c for which {it} ready again.
{include:insert_ready}
FROM {include:claimed_jobs}
WHERE {it}
{include:unless_there}
