-- Of the jobs of the claims c for which {it}: how many are ready again, and how many have failed.
count(r.id), count(*) - count(r.id)
FROM {include:claimed_jobs}
LEFT JOIN solid_queue_ready_executions r ON r.job_id = c.job_id
WHERE {it}
