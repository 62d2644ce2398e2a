-- Makes the jobs that are admitted now ready.
{include:insert_ready}
FROM {include:admitted_jobs}
{include:unless_there solid_queue_ready_executions}
