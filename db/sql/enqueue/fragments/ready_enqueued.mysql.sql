-- Makes those jobs j of the ones enqueued now ready for which {it}.
{include:insert_ready}
FROM {include:enqueued_jobs}
WHERE {it}
{include:unless_there solid_queue_ready_executions}
