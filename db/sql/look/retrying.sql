-- retrying(scheduled) -> queue_name, retrying

-- @mysql @postgresql
-- Counts, queue by queue, the scheduled jobs that wait for a retry. Of :scheduled jobs and the
-- attempts it begins with those that are fewer: only one of the two halves is run.
-- read
-- rows
SELECT s.queue_name, count(*)
FROM (SELECT a.job_id FROM dray_attempts a {index:index_dray_attempts_on_job_id_and_id}
	GROUP BY a.job_id) tried
{join} solid_queue_scheduled_executions s {index:index_solid_queue_scheduled_executions_on_job_id}
	ON s.job_id = tried.job_id
WHERE {include:attempts_to :scheduled} < :scheduled AND {include:was_retried s.job_id}
GROUP BY s.queue_name
UNION ALL
SELECT s.queue_name, count(*)
FROM solid_queue_scheduled_executions s
WHERE {include:attempts_to :scheduled} >= :scheduled AND {include:was_retried s.job_id}
GROUP BY s.queue_name;

-- @sqlite
-- Counts, queue by queue, the scheduled jobs that wait for a retry. Of :scheduled jobs and the
-- attempts it begins with those that are fewer: only one of the two halves is run. A condition
-- would be tested row by row, after all of them have been read: a LIMIT of 0 reads none.
-- read
-- rows
SELECT s.queue_name, count(*)
FROM (SELECT a.job_id FROM dray_attempts a GROUP BY a.job_id
	LIMIT CASE WHEN {include:attempts_to :scheduled} < :scheduled THEN -1 ELSE 0 END) tried
JOIN solid_queue_scheduled_executions s ON s.job_id = tried.job_id
WHERE {include:was_retried s.job_id}
GROUP BY s.queue_name
UNION ALL
SELECT s.queue_name, count(*)
FROM (SELECT e.queue_name, e.job_id FROM solid_queue_scheduled_executions e
	LIMIT CASE WHEN {include:attempts_to :scheduled} >= :scheduled THEN -1 ELSE 0 END) s
WHERE {include:was_retried s.job_id}
GROUP BY s.queue_name;
