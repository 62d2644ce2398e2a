-- Makes those jobs j of the ones enqueued now ready for which {it}.
{include:insert_ready}
FROM solid_queue_jobs j
WHERE {include:j_is_enqueued} AND {it}
ORDER BY j.id
