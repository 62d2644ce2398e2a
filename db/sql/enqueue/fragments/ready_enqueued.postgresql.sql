-- Of the jobs j enqueued now those are ready for which {it}.
{include:insert_ready}
FROM job j WHERE {it}
