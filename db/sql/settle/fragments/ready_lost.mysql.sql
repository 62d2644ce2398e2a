-- Makes the jobs of those of the lost runs ready again that are only lost.
{include:insert_ready}
FROM {include:unfinished_runs}
WHERE x.outcome = 'lost'
{include:unless_there solid_queue_ready_executions}
