-- Makes those jobs j of the ones enqueued now ready for which {it}.
{include:insert_ready}
FROM job j WHERE {it}
