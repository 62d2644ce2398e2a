-- retry(jobs, now, audit) -> job_id
-- Makes failed jobs ([{"job_id", "arguments" or null, "executions"}]) ready again, or blocked,
-- until slots_admit, where they are limited; arguments replace the payload. Losses are
-- forgotten, but not how often the job has run: the runs that were lost, the one that failed
-- unless it was lost, and `executions`, which the payload forgets. `audit` is the line of the
-- audit trail that counts them.
-- guard
-- rows
SELECT f.job_id
FROM (SELECT DISTINCT x.job_id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id')) x) d
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.job_id
FOR UPDATE;
UPDATE JSON_TABLE(:jobs, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments')) x
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = x.job_id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = f.job_id
SET j.arguments = x.arguments, j.updated_at = :now
WHERE x.arguments IS NOT NULL;
INSERT INTO dray_losses (job_id, losses, last_lost_at, runs_before)
SELECT f.job_id, 0, :now, COALESCE(l.losses, 0) + COALESCE(l.runs_before, 0)
	+ IF(l.last_lost_at = f.created_at, 0, 1) + COALESCE(d.executions, 0)
FROM (SELECT x.job_id, MAX(x.executions) AS executions
	FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
		job_id bigint PATH '$.job_id', executions int PATH '$.executions')) x
	GROUP BY x.job_id) d
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.job_id
LEFT JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = f.job_id
ON DUPLICATE KEY UPDATE losses = 0, last_lost_at = VALUES(last_lost_at),
	runs_before = VALUES(runs_before);
{include:insert_ready}
FROM {include:failed_jobs}
WHERE j.concurrency_key IS NULL
{include:unless_there solid_queue_ready_executions};
{include:insert_blocked}
FROM {include:failed_jobs}
{include:first_limit}
WHERE j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
UPDATE dray_audit SET count = count + (
	SELECT COUNT(*)
	FROM (SELECT DISTINCT x.job_id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
		job_id bigint PATH '$.job_id')) x) d
	STRAIGHT_JOIN solid_queue_failed_executions f
		FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.job_id)
WHERE id = :audit;
DELETE f
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = x.job_id;
