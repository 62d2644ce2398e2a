-- invariant() -> problem, jobs, example
-- Counts the jobs that break the rule: an unfinished job is in exactly one of the five execution
-- tables, a finished one in none. There is one row for each kind of violation, with how many
-- jobs it has and the lowest of their ids.
-- read
-- rows
WITH executions AS (
	SELECT job_id FROM solid_queue_ready_executions
	UNION ALL
	SELECT job_id FROM solid_queue_scheduled_executions
	UNION ALL
	SELECT job_id FROM solid_queue_claimed_executions
	UNION ALL
	SELECT job_id FROM solid_queue_blocked_executions
	UNION ALL
	SELECT job_id FROM solid_queue_failed_executions
), places AS (
	SELECT job_id, COUNT(*) AS tables FROM executions GROUP BY job_id
), problems AS (
	SELECT 'unfinished and in no table' AS problem, j.id
	FROM solid_queue_jobs j
	WHERE j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.job_id = j.id)
	UNION ALL
	SELECT 'in more than one table', job_id FROM places WHERE tables > 1
	UNION ALL
	SELECT 'finished and still in a table', p.job_id
	FROM places p
	JOIN solid_queue_jobs j ON j.id = p.job_id
	WHERE j.finished_at IS NOT NULL
	UNION ALL
	SELECT 'in a table but not in solid_queue_jobs', p.job_id
	FROM places p
	WHERE NOT EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = p.job_id)
)
SELECT problem, COUNT(*), MIN(id) FROM problems GROUP BY problem ORDER BY problem;
