-- fail(claims, failures, keep, now) -> claim_name
-- Moves these claims' jobs to failed, each with its error, and writes the runs into the history.
-- failures: the ends of the runs, those of claims: [{"id", "job_id", "process_id", "created_at",
-- "attempt", "began_at", "ended_at", "error", "error_group"}]. A claim that is gone was given to another process (or
-- its number stands for another claim now): nothing is done for it, and it is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM {include:run_ends}
{include:unless_there solid_queue_failed_executions}, error = VALUES(error);
{include:end_runs 'failed'};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'failed'}, failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT job_id, error, :now FROM ends
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, f.value ->> 'error', :now
FROM {include:run_ends}
WHERE true
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error;
{include:end_runs 'failed'};
