-- retry(jobs, now, audit, who, host) -> job_id
-- Makes failed jobs ([{"job_id", "arguments" or null, "executions"}]) ready again, or blocked,
-- until slots_admit, where they are limited; arguments replace the payload. Losses are
-- forgotten, but not how often the job has run: the runs that were lost, the one that failed
-- unless it was lost, and `executions`, which the payload forgets. The history says that `who` at
-- `host` did it. `audit` is the line of the audit trail that counts them.

-- @mysql
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
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at, outcome)
SELECT f.job_id, 0, 0, :who, :host, :now, :now, 'retried_by_hand'
FROM (SELECT DISTINCT x.job_id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id')) x) d
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.job_id;
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

-- @postgresql
-- rows
WITH wanted AS (
	SELECT * FROM json_to_recordset(:jobs::json) AS x(job_id bigint, arguments text, executions integer)
), gone AS (
	DELETE FROM solid_queue_failed_executions
	WHERE job_id = ANY (ARRAY(SELECT job_id FROM wanted))
	RETURNING job_id, created_at
), reset AS (
	UPDATE solid_queue_jobs j SET arguments = wanted.arguments, updated_at = :now
	FROM wanted
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM gone))
		AND wanted.job_id = j.id AND wanted.arguments IS NOT NULL
), forgotten AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at, runs_before)
	SELECT gone.job_id, 0, :now, COALESCE(l.losses, 0) + COALESCE(l.runs_before, 0)
		+ CASE WHEN l.last_lost_at = gone.created_at THEN 0 ELSE 1 END
		+ COALESCE((SELECT max(wanted.executions) FROM wanted WHERE wanted.job_id = gone.job_id), 0)
	FROM gone LEFT JOIN LATERAL (
		SELECT losses, runs_before, last_lost_at FROM dray_losses
		WHERE dray_losses.job_id = gone.job_id OFFSET 0) l ON true
	ON CONFLICT (job_id) DO UPDATE
	SET losses = 0, last_lost_at = excluded.last_lost_at, runs_before = excluded.runs_before
), ready AS (
	{include:insert_ready}
	FROM gone {include:job_of gone.job_id}
	WHERE j.concurrency_key IS NULL
	{include:unless_there}
), blocked AS (
	{include:insert_blocked}
	FROM gone {include:job_of gone.job_id}
	{include:first_limit}
	WHERE j.concurrency_key IS NOT NULL
	ORDER BY j.id
	{include:unless_there}
), told AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at, outcome)
	SELECT job_id, 0, 0, :who, :host, :now, :now, 'retried_by_hand' FROM gone
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;

-- @sqlite
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
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at, outcome)
SELECT f.job_id, 0, 0, :who, :host, :now, :now, 'retried_by_hand'
FROM solid_queue_failed_executions f
WHERE f.job_id IN (SELECT value ->> 'job_id' FROM json_each(:jobs));
-- rows
DELETE FROM solid_queue_failed_executions
WHERE job_id IN (SELECT value ->> 'job_id' FROM json_each(:jobs))
RETURNING job_id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
