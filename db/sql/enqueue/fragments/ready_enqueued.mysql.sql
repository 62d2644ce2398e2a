-- Of the jobs j enqueued now those are ready for which {it}.
{include:insert_ready}
FROM {include:enqueued_jobs}
WHERE {it}
{include:unless_there}
