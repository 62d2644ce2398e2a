-- jobs_unfinished(queue, class_name, key, text, since, until, after, before, limit) -> job_row
-- Lists the newest jobs between two ids that wait or run. It looks at all tables at one moment, so
-- that a job which moves from one to the other all the time is in it.
-- read
-- rows
SELECT ready_jobs.*, 'ready', NULL, NULL, NULL FROM {include:newest_in ready}
UNION ALL
SELECT scheduled_jobs.*, 'scheduled', NULL, NULL, NULL FROM {include:newest_in scheduled}
UNION ALL
SELECT blocked_jobs.*, 'blocked', NULL, NULL, NULL FROM {include:newest_in blocked}
UNION ALL
SELECT claimed_jobs.*, 'claimed', NULL, NULL, NULL FROM {include:newest_in claimed}
ORDER BY 1 DESC LIMIT :limit;
