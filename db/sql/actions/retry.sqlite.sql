-- retry(jobs, now, audit) -> job_id
-- Makes failed jobs ([{"job_id", "arguments" or null, "executions"}]) ready again, or blocked,
-- until slots_admit, where they are limited; arguments replace the payload. Losses are
-- forgotten, but not how often the job has run: the runs that were lost, the one that failed
-- unless it was lost, and `executions`, which the payload forgets. `audit` is the line of the
-- audit trail that counts them.
UPDATE solid_queue_jobs SET arguments = x.value ->> 'arguments', updated_at = :now
FROM json_each(:jobs) x
CROSS JOIN solid_queue_failed_executions f ON f.job_id = (x.value ->> 'job_id')
WHERE solid_queue_jobs.id = f.job_id AND x.value ->> 'arguments' IS NOT NULL;
INSERT INTO dray_losses (job_id, losses, last_lost_at, runs_before)
SELECT f.job_id, 0, :now, COALESCE(l.losses, 0) + COALESCE(l.runs_before, 0)
	+ CASE WHEN l.last_lost_at = f.created_at THEN 0 ELSE 1 END
	+ COALESCE(max(x.value ->> 'executions'), 0)
FROM json_each(:jobs) x
CROSS JOIN solid_queue_failed_executions f ON f.job_id = (x.value ->> 'job_id')
LEFT JOIN dray_losses l ON l.job_id = f.job_id
GROUP BY f.job_id
ON CONFLICT (job_id) DO UPDATE
SET losses = 0, last_lost_at = excluded.last_lost_at, runs_before = excluded.runs_before;
{include:insert_ready}
FROM solid_queue_jobs j
JOIN solid_queue_failed_executions f ON f.job_id = j.id
WHERE j.id IN (SELECT value ->> 'job_id' FROM json_each(:jobs)) AND j.concurrency_key IS NULL
{include:unless_there};
{include:insert_blocked}
FROM solid_queue_jobs j
JOIN solid_queue_failed_executions f ON f.job_id = j.id
{include:first_limit}
WHERE j.id IN (SELECT value ->> 'job_id' FROM json_each(:jobs)) AND j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there};
-- rows
DELETE FROM solid_queue_failed_executions
WHERE job_id IN (SELECT value ->> 'job_id' FROM json_each(:jobs))
RETURNING job_id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
