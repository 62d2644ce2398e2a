-- Makes the unfinished jobs of the claims {it} ready again.
{include:insert_ready}
FROM {include:claimed_jobs {it}}
{include:unless_there solid_queue_ready_executions}
